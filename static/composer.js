// The box: Enter sends (on touch keyboards it breaks the line), ArrowUp edits the last
// message or takes back one that waits, Esc stops the reply. A draft survives a sign-in,
// a reload and an error. The dialog that edits a message takes the same keys.
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

// A narrow box has no room for more than the name of the space.
const narrow = matchMedia("(width < 30rem)");
const hint = box.placeholder;
const showHint = () => (box.placeholder = narrow.matches ? box.dataset.narrow : hint);
narrow.addEventListener("change", showHint);
showHint();

// The choices of a phone: a chip says what is chosen, and opens them.
const chip = document.getElementById("options-chip");

function showChosen() {
  const options = document.getElementById("composer-options");
  const names = [...options.querySelectorAll("select")].map((list) => {
    const name = list.selectedOptions[0].text;
    return list.value ? `${list.labels[0].textContent}: ${name}` : name;
  });
  const forgetful = options.querySelector("#forgetful");
  chip.hidden = !forgetful && !names.length;
  const chosen = [...names, ...(forgetful?.checked ? [chip.dataset.quiet] : [])];
  chip.querySelector(".options-chosen").textContent = chosen.join(" · ") || chip.dataset.none;
  options.classList.toggle("open", chip.ariaExpanded === "true");
}

showChosen();
addEventListener("pageshow", showChosen); // the browser may have kept the choices
form.addEventListener("change", showChosen);
document.addEventListener("htmx:oobAfterSwap", showChosen);
chip.addEventListener("click", () => {
  chip.ariaExpanded = String(chip.ariaExpanded !== "true");
  showChosen();
});

// A switch that was not heard goes back.
form.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (detail.elt.id !== "forgetful" || detail.successful) return;
  detail.elt.checked = !detail.elt.checked;
  showChosen();
});

// Safari tells of the Enter that ends a composition only by its code.
const composes = (event) => event.isComposing || event.keyCode === 229;

function sends(event) {
  if (event.key !== "Enter" || composes(event)) return false;
  if (event.ctrlKey || event.metaKey) return true;
  return !event.shiftKey && !event.altKey && !touch.matches;
}

document.addEventListener("keydown", (event) => {
  if (!event.target.matches("#message-box, #edit-words") || !sends(event)) return;
  event.preventDefault();
  event.target.form.requestSubmit();
});

document.addEventListener("htmx:afterSwap", ({ detail }) => {
  const words = document.getElementById("edit-words");
  if (detail.target.id !== "dialog" || !words) return;
  words.setSelectionRange(words.value.length, words.value.length);
  words.scrollTop = words.scrollHeight;
});

box.addEventListener("keydown", (event) => {
  if (event.key !== "ArrowUp" || box.value || composes(event)) return;
  if (!event.shiftKey && !event.altKey) editLast(event);
});

function editLast(event) {
  const last = queued().at(-1);
  const edit = [...document.querySelectorAll(".log > .user .edit")].at(-1);
  if (!last && (!edit || growing() || waiting())) return;
  event.preventDefault();
  if (last) takeBack(last);
  else edit.click();
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
