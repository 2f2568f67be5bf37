// The lists of conversations: the menu of a row, and choosing several.
"use strict";

{
  const LISTS = "#conversations, #library";
  const menu = document.getElementById("row-menu");
  const told = document.getElementById("told");
  let opener = null;
  let place = null; // where the focus was last in a list

  function openMenu(button) {
    opener = button;
    button.focus(); // not all browsers focus what is clicked
    menu.showPopover();
    const at = button.getBoundingClientRect();
    const below = at.bottom + menu.offsetHeight <= innerHeight;
    menu.style.top = `${Math.max(8, below ? at.bottom : at.top - menu.offsetHeight)}px`;
    menu.style.left = `${Math.max(8, Math.min(at.left, innerWidth - menu.offsetWidth - 8))}px`;
    menu.querySelector("a, button").focus();
  }

  menu.addEventListener("toggle", ({ newState }) =>
    opener?.setAttribute("aria-expanded", String(newState === "open")));
  // Closed first, so that a dialog gives the focus back to the row; but after htmx has
  // read which button was pressed, since it forgets that when the focus moves.
  menu.addEventListener("htmx:beforeRequest", () => menu.hidePopover());
  menu.addEventListener("click", ({ target }) => target.closest("a") && menu.hidePopover());

  document.addEventListener("focusin", ({ target }) => {
    const list = target.closest(LISTS);
    const kind = [".more", ".row-link"].find((name) => target.matches(name));
    if (list && kind) {
      place = { list: list.id, kind, index: [...list.querySelectorAll(kind)].indexOf(target) };
    }
  });

  // A list that was loaded again has lost the focus of its row.
  function keepFocus(list) {
    if (document.activeElement !== document.body || list.id !== place?.list) return;
    const links = list.querySelectorAll(place.kind);
    const next = links[Math.min(place.index, links.length - 1)];
    (next ?? document.getElementById("content")).focus();
  }

  // The list marks the open conversation, if there is one.
  document.addEventListener("htmx:configRequest", ({ detail }) => {
    const open = document.getElementById("open-conversation")?.value;
    if (open && detail.target.matches(LISTS)) detail.parameters.conversation = open;
  });
  document.addEventListener("htmx:afterSwap", ({ detail }) => {
    if (detail.target === menu) openMenu(detail.requestConfig.elt);
    else if (detail.target.matches(LISTS)) keepFocus(detail.target);
    else if (detail.target === told && document.activeElement === document.body) told.focus();
  });
  addEventListener("pagehide", () => told.replaceChildren());
  document.body.addEventListener("conversation-renamed", ({ detail }) => {
    if (document.getElementById("open-conversation")?.value !== detail.key) return;
    const head = document.querySelector("#chat-head h1");
    head.textContent = head.title = detail.title;
    document.title = `${detail.title} · Meddie`;
  });

  function count() {
    const bar = document.querySelector(".selection-bar");
    if (!bar) return;
    const chosen = document.querySelectorAll(".selection input:checked").length;
    const told = bar.querySelector(".selection-count");
    told.textContent = chosen ? `${told.dataset.some} ${chosen}` : told.dataset.none;
    bar.querySelectorAll("button").forEach((button) => (button.disabled = !chosen));
  }
  document.addEventListener("change", ({ target }) => target.closest(".selection") && count());
  addEventListener("pageshow", count); // the browser may have kept the ticks
}
