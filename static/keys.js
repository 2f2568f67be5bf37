// Keyboard shortcuts of every page: search, a new conversation, the list of the keys.
"use strict";

{
  const addresses = document.currentScript.dataset;
  const isField = (element) => Boolean(element.closest?.("input, textarea, select"));

  function toSearch() {
    const fields = [...document.querySelectorAll(".conversation-search input")];
    const field = fields.findLast((one) => one.checkVisibility());
    if (!field) return location.assign(addresses.search);
    field.focus();
    field.select();
  }

  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.isComposing || document.querySelector("dialog[open]")) return;
    const command = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (command && !event.shiftKey && key === "k") toSearch();
    else if (command && event.shiftKey && key === "o") location.assign(addresses.new);
    else if (!command && key === "?" && !isField(event.target)) {
      htmx.ajax("GET", addresses.help, "#dialog");
    } else return;
    event.preventDefault();
  });
}
