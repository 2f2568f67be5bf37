// Scrolling: the page stays at the end while the reader is there, and keeps its place
// when earlier messages are added above.
"use strict";

const newest = document.getElementById("to-newest");
let atEnd = true;
const isAtEnd = () => innerHeight + scrollY >= page.scrollHeight - 60;

function toEnd() {
  scrollTo({ top: page.scrollHeight, behavior: "instant" });
  noteEnd(true);
}

function noteEnd(reached) {
  atEnd = reached;
  newest.hidden = reached || !newestReply();
  if (reached) newest.classList.remove("new-text");
}

function keepEnd() {
  if (atEnd) toEnd();
  else newest.classList.add("new-text");
}

// Only who scrolls up leaves the end: a page may have grown since the last event.
let lastTop = 0;
addEventListener("scroll", () => {
  noteEnd(isAtEnd() || (atEnd && scrollY >= lastTop));
  lastTop = scrollY;
}, { passive: true });
// A composer that grows covers nothing; a page that grows by a picture keeps its end.
const stick = () => (atEnd && newestReply() ? toEnd() : noteEnd(isAtEnd()));
["composer", "content"].forEach((id) => new ResizeObserver(stick).observe(document.getElementById(id)));
// What the reader unfolds stays where it is.
document.addEventListener("click", ({ target }) => {
  if (target.closest(".log :is(summary, .fold)")) atEnd = false;
}, { capture: true });
addEventListener("resize", stick);
newest.addEventListener("click", () => {
  toEnd();
  box.focus({ preventScroll: true });
});

// On opening: at the end, unless the address names a message.
history.scrollRestoration = "manual";
const named = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
const readsEarlier = location.pathname.includes("/before/");
if (newestReply() && !named && !readsEarlier) toEnd();
else noteEnd(isAtEnd());
// The attribute autofocus would scroll, and open the keyboard of a phone.
if (!named && !touch.matches) box.focus({ preventScroll: true });

let height = 0;
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.target.matches(".earlier")) height = page.scrollHeight;
});
document.addEventListener("htmx:afterSwap", ({ detail }) => {
  if (!detail.target.matches(".earlier") || !height) return;
  dropRepeatedDays();
  scrollBy({ top: page.scrollHeight - height, behavior: "instant" });
  height = 0; // htmx reports one swap once per element
  document.querySelector(".log > :is(.earlier, .message)").focus({ preventScroll: true });
});

function dropRepeatedDays() {
  const days = new Set();
  for (const day of document.querySelectorAll(".log > .day")) {
    if (days.has(day.id)) day.remove();
    days.add(day.id);
  }
}
