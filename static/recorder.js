// A message by voice: the browser records it, and it is uploaded like any other file.
"use strict";

const MOST_SECONDS = 600;
const SUFFIXES = { "audio/webm": "webm", "audio/ogg": "ogg", "audio/mp4": "m4a" };
const recordButton = document.getElementById("record");
let recorder = null;
let kept = true;

// Browsers have no microphone on plain http.
const canRecord = recordButton && window.MediaRecorder && navigator.mediaDevices;
if (canRecord) recordButton.hidden = false;

async function startRecording() {
  let stream;
  try {
    stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  } catch {
    return say(recordButton.dataset.refused);
  }
  say("");
  const pieces = [];
  recorder = new MediaRecorder(stream);
  recorder.addEventListener("dataavailable", ({ data }) => pieces.push(data));
  recorder.addEventListener("stop", () => {
    stream.getTracks().forEach((track) => track.stop());
    if (kept) addRecording(pieces, recorder.mimeType.split(";")[0]);
    showRecording(false);
    recorder = null;
  });
  kept = true;
  recorder.start();
  showRecording(true);
}

function addRecording(pieces, type) {
  const time = new Date().toTimeString().slice(0, 5).replace(":", "-");
  const name = `${recordButton.dataset.file} ${time}.${SUFFIXES[type] ?? "webm"}`;
  addFiles([new File(pieces, name, { type })]);
  box.focus({ preventScroll: true });
}

let ticking = 0;

function showRecording(runs) {
  const { record, stop } = recordButton.dataset;
  const clock = recordButton.querySelector(".record-time");
  const begun = Date.now();
  recordButton.setAttribute("aria-pressed", runs);
  recordButton.setAttribute("aria-label", runs ? stop : record);
  recordButton.title = runs ? stop : record;
  clearInterval(ticking);
  clock.textContent = runs ? "0:00" : "";
  if (!runs) return;
  ticking = setInterval(() => {
    const seconds = Math.floor((Date.now() - begun) / 1000);
    clock.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    if (seconds >= MOST_SECONDS) recorder?.stop();
  }, 500);
}

if (canRecord) {
  recordButton.addEventListener("click", () => (recorder ? recorder.stop() : startRecording()));
  // Esc drops what is being recorded, before it would stop a reply.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !recorder) return;
    event.preventDefault();
    kept = false;
    recorder.stop();
  }, { capture: true });
}
