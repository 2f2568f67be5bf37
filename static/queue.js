// Messages that were sent while a reply was being written: they are shown, kept through
// a reload, and sent one after the other when the reply has ended.
"use strict";

const queueList = document.getElementById("queue");
const queueKey = () => `queue:${box.dataset.writer}:${box.dataset.draft}`;
const queued = () => [...queueList.children];
const textOf = (item) => item.querySelector(".bubble").textContent;

function keepQueue() {
  const rows = queued().map((item) => ({ text: textOf(item), key: item.dataset.key }));
  if (rows.length) sessionStorage.setItem(queueKey(), JSON.stringify(rows));
  else sessionStorage.removeItem(queueKey());
}

// The key makes sending one twice harmless.
function showQueued({ text, key }) {
  const item = parsed(document.getElementById("queued-message").innerHTML).firstElementChild;
  item.querySelector(".bubble").textContent = text;
  item.querySelector("[data-quick]").value = text;
  item.dataset.key = key;
  queueList.append(item);
}

function queueMessage() {
  const text = box.value.trim();
  if (!text) return;
  if (unsentKeys().length || arriving()) return say(note.dataset.busy);
  showQueued({ text, key: newKey() });
  box.value = "";
  keepDraft();
  keepQueue();
  toEnd();
}

// Nothing is sent after a reply that failed: the next one would fail, too.
function sendNext() {
  if (growing() || waiting() || newestReply()?.matches(".failed, .interrupted")) return;
  const [next] = queued();
  if (next) form.requestSubmit(next.querySelector("[data-quick]"));
}

// Into the box, unless it has words already.
function takeBack(item) {
  if (!box.value) box.value = textOf(item);
  keepDraft();
  item.remove();
  keepQueue();
  box.focus({ preventScroll: true });
}

queueList.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-unqueue]");
  if (button) takeBack(button.closest("li"));
});

JSON.parse(sessionStorage.getItem(queueKey()) ?? "[]").forEach(showQueued);
// htmx has to know the form first.
document.addEventListener("DOMContentLoaded", sendNext);
