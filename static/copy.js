// Copying: a message, or the code beside the button. A reply is copied as Markdown and,
// for programs that show formatted text, as HTML.
"use strict";

// Browsers have no clipboard on plain http.
if (navigator.clipboard) document.documentElement.classList.add("copies");

document.addEventListener("click", async ({ target }) => {
  const button = target.closest("[data-copy], [data-copy-message]");
  if (!button || button.matches(".copied")) return;
  const status = document.getElementById("page-status");
  try {
    await copyFor(button);
  } catch {
    status.textContent = status.dataset.broken;
    return;
  }
  status.textContent = status.dataset.copied;
  showCopied(button, status.dataset.copied);
  setTimeout(() => (status.textContent = ""), 2000);
});

function copyFor(button) {
  if (button.matches("[data-copy]")) {
    return navigator.clipboard.writeText(button.parentElement.querySelector("code").textContent);
  }
  const message = button.closest(".message");
  const blocks = message.querySelector(".blocks");
  if (!blocks) return navigator.clipboard.writeText(message.querySelector(".bubble").textContent);
  const markdown = button.dataset.copyMessage;
  if (!window.ClipboardItem) return navigator.clipboard.writeText(markdown);
  const parts = { "text/plain": markdown, "text/html": htmlOf(blocks) };
  const blobs = Object.entries(parts).map(([type, text]) => [type, new Blob([text], { type })]);
  return navigator.clipboard.write([new ClipboardItem(Object.fromEntries(blobs))]);
}

// Without what only this page needs.
function htmlOf(blocks) {
  const copy = blocks.cloneNode(true);
  copy.querySelectorAll("button").forEach((button) => button.remove());
  copy.querySelectorAll(".code, .table, .formula").forEach((part) => part.replaceWith(...part.childNodes));
  copy.querySelectorAll("*").forEach((part) =>
    ["class", "tabindex", "role", "aria-label", "target", "rel"].forEach((name) => part.removeAttribute(name)));
  return copy.innerHTML.trim();
}

function showCopied(button, word) {
  const before = [...button.childNodes];
  const [tick, said] = [document.createElement("span"), document.createElement("span")];
  tick.textContent = "✓";
  said.textContent = word;
  button.replaceChildren(tick, said);
  button.classList.add("copied");
  setTimeout(() => {
    button.replaceChildren(...before);
    button.classList.remove("copied");
  }, 2000);
}
