// Files of a message: chosen, dropped or pasted, uploaded one after the other, and sent
// with the message by the names that the server gives them.
"use strict";

const picker = document.getElementById("attach");
const unsent = document.getElementById("unsent");
const fileStatus = document.getElementById("file-status");
const waitingNote = document.getElementById("waiting-note");
const dropHere = document.getElementById("drop-here");

// Without scripts the form itself carries the files.
picker.removeAttribute("name");
form.removeAttribute("enctype");

// 1. Uploading

const queue = [];
let request = null;
let sendWhenDone = false;

const arriving = () => Boolean(unsent.querySelector(".arriving:not(.failed)"));

function addFiles(files) {
  for (const file of files) {
    const item = parsed(document.getElementById("arriving-file").innerHTML).firstElementChild;
    item.querySelector(".file-name").textContent = file.name;
    const button = item.querySelector("[data-remove]");
    button.setAttribute("aria-label", `${button.title}: ${file.name}`);
    unsent.append(item);
    if (file.size > Number(picker.dataset.mostBytes)) fail(item, picker.dataset.tooLarge);
    else queue.push({ file, item });
  }
  if (atEnd) toEnd();
  uploadNext();
}

function uploadNext() {
  if (request) return;
  const next = queue.shift();
  if (!next) return allArrived();
  if (next.item.isConnected) upload(next);
  else uploadNext();
}

function upload({ file, item }) {
  const data = new FormData();
  data.append("file", file);
  document
    .querySelectorAll("#composer-options input[type=hidden]")
    .forEach(({ name, value }) => data.append(name, value));
  request = new XMLHttpRequest();
  request.item = item;
  request.open("POST", picker.dataset.upload);
  request.setRequestHeader("HX-Request", "true");
  request.setRequestHeader("HX-Current-URL", location.href);
  request.setRequestHeader("X-CSRFToken", token());
  request.upload.addEventListener("progress", ({ loaded, total }) => {
    item.querySelector("progress").value = loaded / total;
  });
  request.addEventListener("loadend", () => uploaded(item, file));
  request.send(data);
}

const token = () => /(?:^|; )csrftoken=([^;]+)/.exec(document.cookie)?.[1] ?? "";

function uploaded(item, file) {
  const { status, responseText } = request;
  if (status === 401) return location.assign(request.getResponseHeader("HX-Redirect"));
  if (item.isConnected) {
    if (status === 200) {
      const chip = parsed(responseText).firstElementChild;
      const held = item.contains(document.activeElement);
      item.replaceWith(chip);
      if (held) chip.querySelector("button").focus();
      fileStatus.textContent = `${picker.dataset.added} ${file.name}`;
    } else fail(item, uploadFailure(responseText));
  }
  request = null;
  uploadNext();
}

function uploadFailure(sentence) {
  if (told(request)) return sentence;
  if (request.status === 507) return picker.dataset.diskFull;
  return request.status === 413 ? picker.dataset.tooLarge : picker.dataset.failed;
}

function fail(item, sentence) {
  item.classList.add("failed");
  item.querySelector("progress").remove();
  item.querySelector(".error").textContent = sentence;
  waitForFiles(false);
}

function waitForFiles(waits) {
  sendWhenDone = waits;
  waitingNote.textContent = waits ? picker.dataset.waiting : "";
}

function allArrived() {
  if (!sendWhenDone) return;
  waitForFiles(false);
  form.requestSubmit();
}

unsent.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-remove]");
  if (!button) return;
  const item = button.closest("li");
  const name = item.querySelector(".file-name").textContent;
  const next = (item.nextElementSibling ?? item.previousElementSibling)?.querySelector("button");
  item.remove();
  if (request?.item === item) request.abort();
  if (button.dataset.remove) {
    fetch(button.dataset.remove, { method: "POST", headers: { "X-CSRFToken": token() } });
  }
  fileStatus.textContent = `${picker.dataset.removed} ${name}`;
  (next ?? box).focus();
});

// 2. Choosing, dropping, pasting

picker.addEventListener("change", () => {
  addFiles(picker.files);
  picker.value = "";
  box.focus({ preventScroll: true });
});

box.addEventListener("paste", (event) => {
  const { files } = event.clipboardData;
  // Text from a word processor comes with a picture of itself.
  if (!files.length || event.clipboardData.types.includes("text/plain")) return;
  event.preventDefault();
  addFiles(files);
});

const carriesFiles = (event) => event.dataTransfer?.types.includes("Files");

addEventListener("dragover", (event) => {
  if (!carriesFiles(event)) return;
  event.preventDefault();
  dropHere.hidden = false;
});
addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) dropHere.hidden = true;
});
addEventListener("drop", (event) => {
  dropHere.hidden = true;
  if (!carriesFiles(event)) return;
  event.preventDefault();
  addFiles(event.dataTransfer.files);
  box.focus({ preventScroll: true });
});

// 3. Sending

const unsentKeys = () => [...unsent.querySelectorAll("[name=attached]")].map(({ value }) => value);
let leaving = [];

// Returns whether the message has to wait for its files.
function waitsForFiles() {
  waitForFiles(arriving());
  return sendWhenDone;
}

// Shows the files in the message on its way.
function moveFiles(list) {
  leaving = [...unsent.children].filter((item) => item.querySelector("[name=attached]"));
  for (const item of leaving) {
    const copy = item.cloneNode(true);
    copy.removeAttribute("id");
    copy.querySelectorAll("input, button").forEach((part) => part.remove());
    list.append(copy);
    item.remove();
  }
  list.hidden = !leaving.length;
}

function returnFiles() {
  unsent.prepend(...leaving);
  leaving = [];
}
