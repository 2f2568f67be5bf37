// The page without a network: once Meddie can be reached, the page that was wanted.
"use strict";

async function look() {
  try {
    const { status } = await fetch(location, { method: "HEAD", cache: "no-store" });
    if (status < 500) location.reload();
  } catch {
    // still away
  }
}

addEventListener("online", look);
setInterval(look, 5000);
document.getElementById("again").addEventListener("click", () => location.reload());
