// Comforts for a page that is whole without them: nothing here shows what could not be read before.
(() => {
  "use strict";
  const root = document.documentElement;
  const main = document.getElementById("conversation");
  if (!main) return;

  // A page on a disk may have no storage, or throw when asked.
  const memory = {
    get() { try { return localStorage.getItem("steno-theme"); } catch { return null; } },
    set(theme) { try { localStorage.setItem("steno-theme", theme); } catch { /* It is forgotten, then. */ } },
  };
  const isTheme = (theme) => theme === "dark" || theme === "light";
  const kept = memory.get();
  if (isTheme(kept)) root.dataset.theme = kept;

  const button = (text, act) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = text;
    made.addEventListener("click", act);
    return made;
  };
  const openAll = (open) => {
    for (const details of main.querySelectorAll("details")) details.open = open;
  };
  const turnTheme = () => {
    const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = isDark ? "light" : "dark";
    memory.set(root.dataset.theme);
  };
  const tools = document.createElement("div");
  tools.className = "tools";
  tools.append(
    button("Open all", () => openAll(true)),
    button("Close all", () => openAll(false)),
    button("Dark or light", turnTheme),
  );
  main.querySelector(".head")?.append(tools);

  // One button for all code: it moves to the block that the pointer is over.
  const copy = button("Copy", () => {
    const code = copy.parentElement?.querySelector("pre");
    if (!code || !navigator.clipboard) return;
    navigator.clipboard.writeText(code.textContent).then(() => {
      copy.textContent = "Copied";
      setTimeout(() => { copy.textContent = "Copy"; }, 1500);
    }, () => { copy.textContent = "Not allowed"; });
  });
  copy.className = "copy";
  main.addEventListener("pointerover", (event) => {
    const code = event.target.closest?.("pre");
    if (!code || !navigator.clipboard) return;
    let frame = code.parentElement;
    if (!frame.classList.contains("code")) {
      frame = document.createElement("div");
      frame.className = "code";
      code.replaceWith(frame);
      frame.append(code);
    }
    if (copy.parentElement !== frame) frame.append(copy);
  });

  // What the address points to may lie in something closed.
  const reveal = () => {
    let place = null;
    try { place = document.getElementById(decodeURIComponent(location.hash.slice(1))); } catch { return; }
    if (!place) return;
    for (let box = place; box; box = box.parentElement) if (box.tagName === "DETAILS") box.open = true;
    place.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  if (location.hash) reveal();

  // Beside the page the contents are always open; browsers that cannot say so in style are told here.
  const contents = document.querySelector(".contents details");
  const wide = matchMedia("(min-width: 76rem)");
  const fit = () => { if (contents) contents.open = wide.matches; };
  wide.addEventListener("change", fit);
  fit();

  const prompts = [...main.querySelectorAll(".turn > :first-child[id]")];
  const links = new Map([...document.querySelectorAll(".contents a")].map((link) => [link.hash.slice(1), link]));
  const current = () => {
    let last = -1;
    while (last + 1 < prompts.length && prompts[last + 1].getBoundingClientRect().top < 40) last += 1;
    return last;
  };
  let marked = null;
  let waiting = false;
  const mark = () => {
    waiting = false;
    const link = links.get(prompts[Math.max(current(), 0)]?.id);
    if (link === marked) return;
    marked?.removeAttribute("aria-current");
    link?.setAttribute("aria-current", "true");
    marked = link;
  };
  addEventListener("scroll", () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(mark);
  }, { passive: true });
  mark();

  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || (event.key !== "j" && event.key !== "k")) return;
    if (event.target.closest?.("input, textarea, select, [contenteditable]")) return;
    const at = current();
    prompts[event.key === "j" ? at + 1 : Math.max(at - 1, 0)]?.scrollIntoView();
  });
})();
