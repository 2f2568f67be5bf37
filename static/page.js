// What every page needs: htmx kept within the Content-Security-Policy, dialogs, copying.
"use strict";

document.documentElement.classList.add("scripted");
Object.assign(htmx.config, {
  allowEval: false,
  historyEnabled: false,
  includeIndicatorStyles: false,
  selfRequestsOnly: true,
  responseHandling: [
    { code: "204", swap: false },
    { code: "[23]..", swap: true },
    { code: "4(09|13|22|29)", swap: true },
    { code: "[45]..", swap: false, error: true },
  ],
});

// The token of a form is out of date once its user has signed in again in another tab;
// the cookie never is.
document.addEventListener("htmx:configRequest", ({ detail }) => {
  const token = /(?:^|; )csrftoken=([^;]+)/.exec(document.cookie);
  if (detail.verb === "get" || !token) return;
  delete detail.parameters.csrfmiddlewaretoken;
  detail.headers["X-CSRFToken"] = token[1];
});

// Dialogs: the content of a page that also works by itself.
document.addEventListener("htmx:afterSwap", ({ detail }) => {
  const dialog = detail.target;
  if (dialog.id !== "dialog") return;
  if (!dialog.open) dialog.showModal();
  dialog.querySelector("[autofocus]")?.focus();
});
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  const dialog = detail.elt.closest("#dialog");
  if (dialog && detail.xhr.status === 200 && detail.requestConfig.verb !== "get") dialog.close();
});
document.addEventListener("click", (event) => {
  const dialog = event.target.closest("#dialog");
  if (!dialog) return;
  if (event.target === dialog || event.target.closest("[data-close]")) {
    event.preventDefault();
    dialog.close();
  }
});

// Copying: a message, or the code in it.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy], [data-copy-message]");
  if (!button || !navigator.clipboard) return;
  const from = button.matches("[data-copy]")
    ? button.parentElement.querySelector("code")
    : button.closest(".message").querySelector(".blocks, .bubble");
  await navigator.clipboard.writeText(wordsOf(from));
  const status = document.getElementById("page-status");
  status.textContent = status.dataset.copied;
  button.classList.add("copied");
  setTimeout(() => {
    status.textContent = "";
    button.classList.remove("copied");
  }, 2000);
});

function wordsOf(element) {
  if (!element.querySelector(".copy")) return element.innerText.trim();
  const buttons = [...element.querySelectorAll(".copy")];
  buttons.forEach((button) => (button.hidden = true));
  const words = element.innerText.trim();
  buttons.forEach((button) => (button.hidden = false));
  return words;
}
