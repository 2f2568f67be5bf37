// What every page needs: htmx kept within the Content-Security-Policy, and dialogs.
"use strict";

document.documentElement.classList.add("scripted");
Object.assign(htmx.config, {
  allowEval: false,
  attributesToSettle: ["class"], // no style, which the policy refuses
  defaultSettleDelay: 0, // what is shown takes keys at once
  historyEnabled: false,
  includeIndicatorStyles: false,
  selfRequestsOnly: true,
  responseHandling: [
    { code: "204", swap: false },
    { code: "[23]..", swap: true },
    { code: "[45]..", swap: false, error: true },
  ],
});

// A form that was refused: the fault may be out of sight.
document.querySelector("main [aria-invalid=true]")?.focus();

// A refusal that says where it belongs is Meddie's own sentence, whatever its status.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (!detail.xhr.getResponseHeader("HX-Retarget")) return;
  detail.shouldSwap = true;
  detail.isError = false;
});

// What was pressed and failed says so, where it was pressed: behind an open dialog
// nothing is read out. What the page fetches by itself, nobody waits for.
const pressed = (element) => element.matches("form, a, button, input, select");

function tellFailure({ detail }) {
  if (!pressed(detail.elt) || detail.elt.id === "composer-form") return; // says it itself
  const { unreachable, gone, tooLarge, broken } = document.getElementById("page-status").dataset;
  const sentences = { 0: unreachable, 404: gone, 413: tooLarge };
  const failure = document.createElement("p");
  failure.className = "note error failure";
  failure.role = "alert";
  const place = detail.elt.closest("#dialog") ?? document.getElementById("composer");
  (place ?? document.getElementById("content")).prepend(failure);
  failure.textContent = sentences[detail.xhr.status] ?? broken;
}
["htmx:responseError", "htmx:sendError", "htmx:timeout"].forEach((event) =>
  document.addEventListener(event, tellFailure));
document.addEventListener("htmx:beforeRequest", ({ detail }) => {
  if (pressed(detail.elt)) document.querySelector(".failure")?.remove();
});

// The token of a form is out of date once its user has signed in again in another tab;
// the cookie never is.
document.addEventListener("htmx:configRequest", ({ detail }) => {
  const token = /(?:^|; )csrftoken=([^;]+)/.exec(document.cookie);
  if (detail.verb === "get" || !token) return;
  delete detail.parameters.csrfmiddlewaretoken;
  detail.headers["X-CSRFToken"] = token[1];
});

// What the page came with is read out only if it changes after loading.
setTimeout(() => {
  document.querySelectorAll(".notes[role=status] > .note").forEach(({ firstChild }) =>
    firstChild.replaceWith(firstChild.cloneNode(true)));
}, 100);

// Dialogs: the content of a page that also works by itself.
document.addEventListener("htmx:afterSwap", ({ detail }) => {
  const dialog = detail.target;
  if (dialog.id !== "dialog") return;
  if (!dialog.open) {
    const gutter = innerWidth - document.documentElement.offsetWidth;
    document.documentElement.style.setProperty("--gutter", `${gutter}px`);
    dialog.showModal();
  }
  dialog.querySelector("[autofocus]")?.focus();
});
// Closed before the page changes: nothing outside of an open dialog is read out.
document.addEventListener("htmx:beforeOnLoad", ({ detail }) => {
  const dialog = detail.elt.closest("#dialog");
  const { status } = detail.xhr; // 0 without an answer
  const done = status >= 200 && status < 300;
  if (dialog && done && detail.requestConfig.verb !== "get") dialog.close();
});
document.addEventListener("click", (event) => {
  const dialog = event.target.closest("#dialog");
  if (!dialog) return;
  if (event.target === dialog || event.target.closest("[data-close]")) {
    event.preventDefault();
    dialog.close();
  }
});

// It needs https or this machine, and some browsers refuse it in private windows.
addEventListener("load", () =>
  navigator.serviceWorker?.register("/service-worker.js").catch(() => {}));

document.addEventListener("click", ({ target }) => {
  if (target.closest("[data-print]")) window.print();
});
