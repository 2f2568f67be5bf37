// The arrow keys lead from the box of a search to its results, and along them.
"use strict";

{
  const boxOf = (list) => document.querySelector(`input[aria-controls="${list.id}"]`);

  function neighbour(target, key) {
    const list = document.getElementById(target.getAttribute("aria-controls"))
      ?? target.closest("#conversations, #library");
    const box = boxOf(list);
    if (key === "Escape") return target === box ? null : box;
    const stops = [box, ...list.querySelectorAll("a.row-link")];
    return stops[stops.indexOf(target) + (key === "ArrowDown" ? 1 : -1)];
  }

  document.addEventListener("keydown", (event) => {
    if (!["ArrowDown", "ArrowUp", "Escape"].includes(event.key) || event.isComposing) return;
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (!event.target.matches(".conversation-search input, a.row-link")) return;
    const next = neighbour(event.target, event.key);
    if (!next) return;
    event.preventDefault();
    next.focus();
  });
}
