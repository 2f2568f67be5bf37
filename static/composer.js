// The box: Enter sends (on touch keyboards it breaks the line), ArrowUp edits the last
// message, Esc stops the reply. A draft survives a sign-in, a reload and an error.
"use strict";

// One draft per user: another one may sign in here.
const draftKey = () => `draft:${box.dataset.writer}:${box.dataset.draft}`;

function keepDraft() {
  if (box.value) sessionStorage.setItem(draftKey(), box.value);
  else sessionStorage.removeItem(draftKey());
}

box.addEventListener("input", keepDraft);
box.value ||= sessionStorage.getItem(draftKey()) ?? "";
keepDraft(); // what was written before this script had loaded

box.addEventListener("keydown", (event) => {
  if (event.isComposing || event.shiftKey || event.altKey) return;
  if (event.key === "ArrowUp" && !box.value) editLast(event);
  if (event.key !== "Enter") return;
  if (touch.matches && !event.ctrlKey && !event.metaKey) return;
  event.preventDefault();
  form.requestSubmit();
});

function editLast(event) {
  const edit = [...document.querySelectorAll(".log > .user .edit")].at(-1);
  if (!edit || growing() || waiting()) return;
  event.preventDefault();
  edit.click();
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.isComposing || event.defaultPrevented) return;
  if (!document.querySelector("dialog[open], :popover-open")) {
    document.getElementById("stop-form")?.requestSubmit();
  }
});

addEventListener("offline", () => say(note.dataset.offline));
addEventListener("online", () => {
  if (note.textContent === note.dataset.offline) say("");
});
