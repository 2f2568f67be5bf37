// Without a network there is a page that says so. Nothing else is kept, and nothing private.
"use strict";

const KEPT = {{ kept|safe }};

async function keep() {
  for (const name of await caches.keys()) await caches.delete(name);
  await (await caches.open("offline {{ look }}")).addAll(KEPT);
  await skipWaiting();
}

addEventListener("install", (event) => event.waitUntil(keep()));

addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  const kept = mode === "navigate" ? KEPT[0] : new URL(url).pathname;
  if (method !== "GET" || !KEPT.includes(kept)) return;
  event.respondWith(fetch(event.request).catch(() => caches.match(kept)));
});
