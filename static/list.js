// The lists of conversations: the menu of a row, and choosing several.
"use strict";

{
  const LISTS = "#conversations, #library";
  const menu = document.getElementById("row-menu");
  const status = document.getElementById("page-status");
  let opener = null;
  let place = null; // of the row whose menu was opened last

  function openMenu(button) {
    opener = button;
    const list = button.closest(LISTS);
    const links = list ? [...list.querySelectorAll(".more")] : [];
    place = list && { list: list.id, index: links.indexOf(button) };
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

  // A list that was loaded again has lost the focus of its row.
  function keepFocus(list) {
    if (document.activeElement !== document.body || list.id !== place?.list) return;
    const links = list.querySelectorAll(".more");
    const next = links[Math.min(place.index, links.length - 1)];
    (next ?? document.getElementById("content")).focus();
  }

  document.addEventListener("htmx:afterSwap", ({ detail }) => {
    if (detail.target === menu) openMenu(detail.requestConfig.elt);
    else if (detail.target.matches(LISTS)) keepFocus(detail.target);
  });
  document.body.addEventListener("conversations-changed", ({ detail }) => {
    status.textContent = detail.value;
  });
  document.body.addEventListener("conversation-renamed", ({ detail }) => {
    if (document.getElementById("open-conversation")?.value !== detail.key) return;
    const head = document.querySelector("#chat-head h1");
    head.textContent = head.title = detail.title;
    document.title = `${detail.title} · Meddie`;
  });

  function count() {
    const bar = document.querySelector(".selection-bar");
    if (!bar) return;
    const chosen = document.querySelectorAll(".selection :checked").length;
    const told = bar.querySelector(".selection-count");
    told.textContent = chosen ? `${told.dataset.some} ${chosen}` : told.dataset.none;
    bar.querySelectorAll("button").forEach((button) => (button.disabled = !chosen));
  }
  document.addEventListener("change", ({ target }) => target.closest(".selection") && count());
  addEventListener("pageshow", count); // the browser may have kept the ticks
}
