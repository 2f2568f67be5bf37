// The chat page: a sent message is shown at once, and a reply grows while it is
// written. The server owns the reply; this page only follows it. The other scripts of
// the page use what is defined here.
"use strict";

const box = document.getElementById("message-box");
const form = document.getElementById("composer-form");
const note = document.getElementById("composer-note");
const page = document.documentElement;
const touch = matchMedia("(pointer: coarse)");

const focused = (selector) => document.activeElement?.matches(selector);
const growing = () => document.querySelector(".growing");
const newestReply = () => [...document.querySelectorAll(".log > .reply")].at(-1);
const waiting = () => document.querySelector(".message.waiting");

// 1. Replies that grow.

function follow(article) {
  const source = new EventSource(article.dataset.stream);
  source.addEventListener("grow", (event) => grow(article, JSON.parse(event.data)));
  source.addEventListener("end", (event) => {
    source.close();
    finish(article, JSON.parse(event.data).html);
  });
  source.addEventListener("gone", () => {
    source.close();
    gone(article);
  });
  source.addEventListener("open", tellConnected);
  // A connection that broke comes back by itself; one that was refused does not.
  source.addEventListener("error", () => {
    tellLost();
    if (source.readyState === EventSource.CLOSED) setTimeout(look, 2000, article);
  });
}

const connection = document.getElementById("connection-note");
let losing = 0;

// A connection that is back at once is not worth a word.
function tellLost() {
  losing ||= setTimeout(() => (connection.textContent = connection.dataset.lost), 2000);
}

function tellConnected() {
  clearTimeout(losing);
  losing = 0;
  connection.textContent = "";
}

function gone(article) {
  tellConnected();
  say(note.dataset.gone);
  if (focused(".composer .stop")) box.focus({ preventScroll: true });
  article.remove();
}

async function look(article) {
  if (!article.isConnected) return;
  const headers = { "HX-Request": "true", "HX-Current-URL": location.href };
  let answer;
  try {
    answer = await fetch(article.dataset.reply, { headers });
  } catch {
    setTimeout(look, 3000, article);
    return;
  }
  tellConnected();
  if (answer.status === 401) location.assign(answer.headers.get("HX-Redirect"));
  else if (answer.status === 404) gone(article);
  else if (!answer.ok) setTimeout(look, 3000, article);
  else {
    const html = await answer.text();
    if (parsed(html).querySelector(".growing")) follow(article);
    else finish(article, html);
  }
}

function parsed(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

function grow(article, { whole, blocks, tail }) {
  const done = article.querySelector(".blocks");
  if (whole) fill(done, parsed(blocks));
  else if (blocks) done.insertAdjacentHTML("beforeend", blocks);
  article.querySelector(".tail").innerHTML = tail;
  keepEnd();
}

// Keeps the blocks that are unchanged, so that nothing moves and nothing is read out
// twice. Returns whether all could be kept.
function fill(words, whole) {
  const flat = (block) => block?.outerHTML.replace(/\s+/g, "");
  const [here, all] = [[...words.children], [...whole.children]];
  let same = 0;
  while (same < here.length && flat(here[same]) === flat(all[same])) same += 1;
  here.slice(same).forEach((block) => block.remove());
  words.append(...all.slice(same));
  return same === here.length;
}

// Replaces the growing message by the whole one.
function finish(article, html) {
  const whole = parsed(html);
  const last = whole.querySelector("article");
  const [words, prose] = [article.querySelector(".blocks"), last.querySelector(".blocks")];
  if (!fill(words, prose)) article.setAttribute("aria-live", "off");
  if (prose.lang) words.lang = prose.lang;
  const held = article.contains(document.activeElement);
  const stopping = focused(".composer .stop"); // which has nothing left to stop
  // An alert that is inserted again would be read out again.
  article.querySelectorAll(":scope > :not(h2, .emergency, .blocks)").forEach((part) => part.remove());
  last.querySelector(".emergency")?.remove();
  prose.remove();
  last.querySelector("h2").remove();
  article.className = last.className;
  delete article.dataset.stream;
  article.append(...last.childNodes);
  last.remove();
  const next = [...whole.children];
  article.after(...next);
  [article, ...next].forEach((part) => htmx.process(part));
  if (held) article.focus({ preventScroll: true });
  if (stopping) box.focus({ preventScroll: true });
  keepEnd();
  document.body.dispatchEvent(new Event("conversation-ended"));
  setTimeout(() => document.body.dispatchEvent(new Event("conversation-ended")), 8000);
  sendNext();
}

htmx.onLoad((part) => {
  const found = part.matches?.("[data-stream]") ? [part] : part.querySelectorAll("[data-stream]");
  found.forEach(follow);
});

// 2. Sending.

function say(sentence) {
  note.textContent = sentence;
}

let quick = "";
let sent = "";
let fromQueue = null; // the waiting message that is sent

// Words that are sent again after a failure carry the same key, so that they are stored
// once.
let key = "";
let keyed = "";

// crypto.randomUUID needs https.
function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function keyOf(text) {
  const words = [text, ...unsentKeys()].join(" ");
  if (words !== keyed) [key, keyed] = [newKey(), words];
  return key;
}

function takeSubmit(event) {
  quick = event.submitter?.matches("[data-quick]") ? event.submitter.value : "";
  fromQueue = event.submitter?.closest("#queue > *") ?? null;
  const busy = growing() || waiting();
  const empty = !quick && !box.value.trim() && !unsentKeys().length && !arriving();
  if (busy || empty || (!fromQueue && waitsForFiles())) {
    event.preventDefault();
    event.stopImmediatePropagation();
    if (busy && !quick) queueMessage();
  }
}

// Until the other scripts are there, the form is sent as without scripts.
document.addEventListener("DOMContentLoaded", () =>
  form.addEventListener("submit", takeSubmit, { capture: true }));

// What one may tell is filled in, to be changed before it is sent.
document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-fill]");
  if (!link || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  box.value = link.dataset.fill;
  box.dispatchEvent(new Event("input", { bubbles: true }));
  box.focus();
});

// htmx sees only the buttons inside their form.
form.addEventListener("htmx:configRequest", ({ detail }) => {
  if (detail.elt !== form) return;
  if (quick) detail.parameters.quick = quick;
  detail.parameters.key = fromQueue?.dataset.key ?? keyOf(quick || box.value);
  if (fromQueue) delete detail.parameters.attached;
});

form.addEventListener("htmx:beforeRequest", ({ detail }) => {
  if (detail.elt !== form) return;
  sent = quick || box.value;
  say("");
  const article = parsed(document.getElementById("waiting-message").innerHTML).firstElementChild;
  article.querySelector(".bubble").textContent = sent.trim();
  article.querySelector(".bubble").hidden = !sent.trim();
  if (fromQueue) fromQueue.hidden = true;
  else moveFiles(article.querySelector(".files"));
  document.getElementById("log").append(article);
  document.getElementById("welcome")?.setAttribute("hidden", "");
  if (!quick) box.value = "";
  toEnd();
});

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.requestConfig.elt !== form) return;
  waiting()?.remove();
  const messages = parsed(detail.serverResponse).querySelectorAll(".message[id]");
  messages.forEach((message) => document.getElementById(message.id)?.remove());
});

form.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (detail.elt !== form) return;
  if (detail.successful && detail.xhr.status === 200) return delivered();
  waiting()?.remove();
  document.getElementById("welcome")?.removeAttribute("hidden");
  if (!quick) box.value ||= sent;
  if (fromQueue) fromQueue.hidden = false;
  else returnFiles();
  keepDraft();
  if (!told(detail.xhr) && detail.xhr.status !== 401) say(failure(detail.xhr.status));
});

// Meddie's own refusals bring their sentence along.
function told(xhr) {
  return Boolean(xhr.getResponseHeader("HX-Retarget"));
}

function failure(status) {
  if (status === 0) return note.dataset.unreachable;
  if (status === 404) return openId() ? note.dataset.gone : note.dataset.nowhere;
  if (status === 400 || status === 413) return note.dataset.tooLong;
  return note.dataset.broken;
}

function delivered() {
  keyed = "";
  fromQueue?.remove();
  [draftKey(), queueKey()].forEach((name) => sessionStorage.removeItem(name));
  const open = document.getElementById("open-conversation");
  box.dataset.draft = open.value;
  history.replaceState(null, "", open.dataset.page);
  keepDraft();
  keepQueue();
  toEnd();
  // The pressed button is replaced by Stop; a quick question disappears.
  if (focused(".composer .send")) box.focus({ preventScroll: true });
  else if (focused("body")) growing()?.focus({ preventScroll: true });
}

document.addEventListener("htmx:afterSettle", ({ detail }) => {
  const { elt } = detail.requestConfig;
  if (detail.target.id !== "log" || elt === form || elt.closest(".versions")) return;
  // The new reply may be done already.
  const keepFocus = () => focused("body, dialog *") && newestReply()?.focus({ preventScroll: true });
  keepFocus();
  elt.closest("dialog")?.addEventListener("close", keepFocus, { once: true });
  if (elt.matches("form")) toEnd(); // edited, or asked again
  else keepEnd();
});

document.addEventListener("htmx:afterSwap", ({ detail }) => {
  if (detail.target.id === "conversations") showTitle();
});

function showTitle() {
  const title = document.querySelector("#conversations [aria-current] .title")?.textContent;
  const head = document.querySelector("#chat-head h1");
  if (!title) return;
  if (head.textContent !== title) head.textContent = head.title = title;
  document.title = `${title} · Meddie`;
}

// 3. Another tab has changed the conversation, or this one was hidden for a while.

const tabs = new BroadcastChannel("conversations");
const openId = () => document.getElementById("open-conversation")?.value;
let hiddenAt = 0;

document.body.addEventListener("conversation-moved", () => tabs.postMessage(openId()));
tabs.addEventListener("message", ({ data }) => data === openId() && catchUp());
document.addEventListener("visibilitychange", () => {
  if (document.hidden) hiddenAt = Date.now();
  else if (Date.now() - hiddenAt > 30_000) catchUp();
});

function catchUp() {
  if (!openId() || growing() || waiting()) return;
  const messages = [...document.querySelectorAll(".log .message[id]")];
  htmx.ajax("GET", document.getElementById("open-conversation").dataset.page, {
    target: "#log",
    swap: "outerHTML",
    values: { last: messages.at(-1)?.id ?? "" },
  });
}
