// Opens what this page holds, with the passphrase, in this browser and without asking anybody.
(() => {
  "use strict";
  const root = document.documentElement;
  const [form, field, show, open, said] =
    ["unlock", "passphrase", "show", "open", "said"].map((id) => document.getElementById(id));

  // As the page inside will: one on a disk may have no storage, or throw when asked.
  try {
    const theme = localStorage.getItem("steno-theme");
    if (theme === "dark" || theme === "light") root.dataset.theme = theme;
  } catch { /* The system's, then. */ }

  const say = (text, isBad = false) => {
    said.textContent = text;
    said.classList.toggle("bad", isBad);
    if (isBad) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
  };
  class Trouble extends Error {}
  const check = () => {
    if (!globalThis.crypto?.subtle)
      throw new Trouble("This browser offers no cryptography to a page at this address. Save the page as a file and open that.");
    if (!globalThis.DecompressionStream)
      throw new Trouble("This browser is too old to open the page. Take a current Firefox, Chrome, Edge or Safari.");
  };

  const bytes = (text) => {
    const raw = atob(text);
    const made = new Uint8Array(raw.length);
    for (let at = 0; at < raw.length; at += 1) made[at] = raw.charCodeAt(at);
    return made;
  };
  const sealed = () => {
    const holder = document.getElementById("sealed");
    try {
      const text = holder.dataset.terms;
      const terms = JSON.parse(text);
      const content = bytes(holder.content.textContent);
      if (content.length === terms.length) return { text, terms, content };
    } catch { /* It is the same trouble. */ }
    throw new Trouble("The file is damaged or breaks off: parts of it are missing. Ask for it once more.");
  };

  // Typed elsewhere, letters may be put together in another way, and what is pasted has spaces around it.
  const plain = (typed) => typed.normalize("NFC").replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, "");
  const encoded = (text) => new TextEncoder().encode(text);
  const key = async (passphrase, terms) => {
    const material = await crypto.subtle.importKey("raw", encoded(plain(passphrase)), "PBKDF2", false, ["deriveKey"]);
    const way = { name: "PBKDF2", hash: "SHA-256", salt: bytes(terms.salt), iterations: terms.rounds };
    return crypto.subtle.deriveKey(way, material, { name: "AES-GCM", length: 256 }, false, ["decrypt"]);
  };
  const opened = async (passphrase) => {
    const { text, terms, content } = sealed();
    const made = await key(passphrase, terms);
    const way = { name: "AES-GCM", iv: bytes(terms.nonce), additionalData: encoded(text), tagLength: 128 };
    const packed = await crypto.subtle.decrypt(way, made, content).catch(() => {
      throw new Trouble("That is not the passphrase of this page. Check capital letters and spaces, and try again.");
    });
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).text();
  };

  // The other page in place of this one, at the same address.
  const become = (page) => {
    const place = location.hash;
    document.open();
    document.write(page);
    document.close();
    if (place) location.replace(place);
  };
  const turn = () => new Promise((done) => { setTimeout(done, 20); });
  const whole = document.readyState !== "loading" ? null : new Promise((done) => {
    document.addEventListener("DOMContentLoaded", done, { once: true });
  });

  let isBusy = false;
  const work = (is) => {
    isBusy = is;
    open.setAttribute("aria-disabled", String(is));
    field.readOnly = is;
  };
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (isBusy) return;
    work(true);
    try {
      check();
      say("Making the key; this takes a moment.");
      await whole;
      const page = await opened(field.value);
      say("Opening the page.");
      await turn();
      become(page);
    } catch (trouble) {
      work(false);
      say(trouble instanceof Trouble ? trouble.message : `The page cannot be opened here: ${trouble}`, true);
      field.focus();
      field.select();
    }
  });
  show.addEventListener("click", () => {
    const isShown = field.type === "password";
    field.type = isShown ? "text" : "password";
    show.textContent = isShown ? "Hide" : "Show";
    show.setAttribute("aria-pressed", String(isShown));
    field.focus();
  });

  form.hidden = false;
  field.focus();
  try { check(); } catch (trouble) { say(trouble.message, true); }
})();
