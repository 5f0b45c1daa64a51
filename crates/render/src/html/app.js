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
  // Prompts alone lead through a long session; edits tell what became of the files.
  const choice = () => {
    const group = document.createElement("div");
    group.className = "choice";
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", "Show");
    for (const name of ["All", "Prompts", "Edits"]) {
      const made = button(name, () => {
        main.dataset.show = name.toLowerCase();
        for (const one of group.children) one.setAttribute("aria-pressed", String(one === made));
      });
      made.setAttribute("aria-pressed", String(name === "All"));
      group.append(made);
    }
    return group;
  };
  const tools = document.createElement("div");
  tools.className = "tools";
  tools.append(
    button("Open all", () => openAll(true)),
    button("Close all", () => openAll(false)),
    button("Theme", turnTheme),
    choice(),
  );
  main.querySelector(".head")?.append(tools);

  // A button for each block of code, once its turn comes near: keys reach it as well as the pointer.
  const copy = (code) => {
    const made = button("Copy", () => {
      const say = (text) => {
        made.textContent = text;
        setTimeout(() => { made.textContent = "Copy"; }, 1500);
      };
      navigator.clipboard.writeText(code.textContent).then(() => say("Copied"), () => say("Not allowed"));
    });
    made.className = "copy";
    return made;
  };
  const dress = (part) => {
    for (const code of part.querySelectorAll("pre")) {
      if (code.parentElement.classList.contains("code") || code.closest("details:not([open])")) continue;
      const frame = document.createElement("div");
      frame.className = "code";
      code.replaceWith(frame);
      frame.append(code, copy(code));
    }
  };
  if (navigator.clipboard) {
    const near = new IntersectionObserver((turns) => {
      for (const turn of turns) {
        if (!turn.isIntersecting) continue;
        near.unobserve(turn.target);
        dress(turn.target);
      }
    }, { rootMargin: "100%" });
    for (const turn of main.querySelectorAll(".turn")) near.observe(turn);
    main.addEventListener("toggle", (event) => { if (event.target.open) dress(event.target); }, true);
  }

  const list = document.querySelector(".contents");
  const contents = list?.querySelector("details");
  const wide = matchMedia("(min-width: 76rem)");
  const hint = "j and k lead to the next prompt and the one before";
  tools.title = hint;
  if (contents) contents.firstElementChild.title = hint;

  // Beside the page the contents are always open; browsers that cannot say so in style are told here.
  const fit = () => { if (contents) contents.open = wide.matches; };
  wide.addEventListener("change", fit);
  fit();

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
  document.querySelector(".back")?.addEventListener("click", () => { if (contents) contents.open = true; });

  // Turns, not what is in them: to ask where that is would lay out all that is not seen yet.
  const turns = [...main.querySelectorAll(".turn:has(> [id])")];
  const links = new Map([...document.querySelectorAll(".contents a")].map((link) => [link.hash.slice(1), link]));
  const current = () => {
    let [from, to] = [0, turns.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (turns[middle].getBoundingClientRect().top < 40) from = middle + 1;
      else to = middle;
    }
    return from - 1;
  };
  let marked = null;
  let waiting = false;
  const mark = () => {
    waiting = false;
    const link = links.get(turns[Math.max(current(), 0)]?.firstElementChild.id);
    if (link === marked) return;
    marked?.removeAttribute("aria-current");
    link?.setAttribute("aria-current", "true");
    marked = link;
    follow();
  };
  // The list goes along where it has a scroll bar of its own.
  const follow = () => {
    if (!marked || !wide.matches) return;
    const [view, entry] = [list.getBoundingClientRect(), marked.getBoundingClientRect()];
    if (entry.top < view.top || entry.bottom > view.bottom) list.scrollTop += entry.top - view.top - view.height / 3;
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
    turns[event.key === "j" ? at + 1 : Math.max(at - 1, 0)]?.scrollIntoView();
  });
})();
