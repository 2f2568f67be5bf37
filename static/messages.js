// Messages: their actions after a long press, long ones folded, and their versions.
"use strict";

const LONG_PRESS = 450; // milliseconds
const SLOW = 15_000;
let press = 0;

document.addEventListener("pointerdown", (event) => {
  clearTimeout(press);
  if (event.pointerType === "mouse") return;
  const message = event.target.closest(".message");
  if (!message?.contains(document.querySelector(".message.held"))) hold(null);
  if (message) press = setTimeout(hold, LONG_PRESS, message);
});
// Scrolling and the selection of text cancel the pointer.
["pointerup", "pointercancel"].forEach((name) =>
  document.addEventListener(name, () => clearTimeout(press)));
document.addEventListener("contextmenu", (event) => {
  if (event.pointerType === "touch") hold(event.target.closest(".message"));
});

function hold(message) {
  document.querySelector(".message.held")?.classList.remove("held");
  message?.classList.add("held");
}

// Long messages of the user show twelve lines.
function fold(part) {
  const button = document.getElementById("fold-button").innerHTML;
  for (const bubble of part.querySelectorAll(".user .bubble")) {
    const folded = bubble.scrollHeight > bubble.clientHeight + 1;
    if (folded && !bubble.nextElementSibling?.matches(".fold")) bubble.after(parsed(button));
  }
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest(".fold");
  if (!button) return;
  const open = button.previousElementSibling.classList.toggle("unfolded");
  button.setAttribute("aria-expanded", open);
  button.textContent = open ? button.dataset.less : button.dataset.all;
});

htmx.onLoad(fold);

// An answer that does not begin says so; once it has, the line is hidden.
htmx.onLoad((part) => {
  for (const line of part.querySelectorAll(".growing .thinking")) {
    setTimeout(() => (line.textContent = line.dataset.slow), SLOW);
  }
});

// Where a search has led: the message is unfolded, and the first hit in it is in view.
function showHit() {
  const words = new URLSearchParams(location.search).get("q")?.trim().split(/\s+/);
  fold(document);
  named.querySelector(".fold")?.click();
  const hit = words && findFirst(named.querySelector(".bubble, .blocks"), words);
  if (!hit) return;
  CSS.highlights?.set("hit", new Highlight(hit));
  const show = () =>
    scrollBy({ top: hit.getBoundingClientRect().top - innerHeight / 3, behavior: "instant" });
  // Until the page is loaded the browser scrolls to the message.
  addEventListener("load", () => requestAnimationFrame(show));
}

function findFirst(part, words) {
  const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const pattern = new RegExp(escaped.join("|"), "i");
  const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const found = pattern.exec(texts.currentNode.data);
    if (!found) continue;
    const range = new Range();
    range.setStart(texts.currentNode, found.index);
    range.setEnd(texts.currentNode, found.index + found[0].length);
    return range;
  }
  return null;
}

if (named && named.matches(".message:has(.bubble, .blocks)")) showHit();

// The question for a reason is in view.
document.addEventListener("htmx:afterSettle", ({ detail }) => {
  if (detail.target.matches(".feedback") && atEnd) toEnd();
});

// Another version: what was pressed stays under the pointer and keeps the focus.
let versions = null;
document.addEventListener("htmx:beforeRequest", ({ detail }) => {
  const group = detail.elt.closest(".versions");
  versions = group && { key: group.dataset.versions, top: group.getBoundingClientRect().top };
});
document.addEventListener("htmx:afterSettle", ({ detail }) => {
  if (detail.target.id !== "log" || !versions) return;
  const group = document.querySelector(`[data-versions="${versions.key}"]`);
  if (group) {
    scrollBy({ top: group.getBoundingClientRect().top - versions.top, behavior: "instant" });
    if (!group.contains(document.activeElement)) {
      group.querySelector("button:enabled")?.focus({ preventScroll: true });
    }
  }
  versions = null;
  noteEnd(isAtEnd());
});
