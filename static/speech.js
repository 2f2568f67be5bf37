// Read a reply aloud, where the browser can.
"use strict";

const canSpeak = "speechSynthesis" in window && "SpeechSynthesisUtterance" in window;
if (canSpeak) document.documentElement.classList.add("speaks");
let speaking = null; // the pressed button

function stopSpeaking() {
  if (!speaking) return;
  speaking.setAttribute("aria-pressed", "false");
  nameSpeech(speaking, speaking.dataset.read);
  speaking = null;
  speechSynthesis.cancel();
}

function nameSpeech(button, name) {
  button.setAttribute("aria-label", name);
  button.title = name;
}

// The language of the reply if a voice speaks it, else that of the page.
function voiceFor(language) {
  const voices = speechSynthesis.getVoices(); // none before they are loaded
  const known = !voices.length || voices.some(({ lang }) => lang.startsWith(language));
  return (known && language) || document.documentElement.lang;
}

function speak(button) {
  const blocks = [...button.closest(".message").querySelectorAll(".blocks > *")];
  const texts = blocks.map((block) => block.innerText.trim()).filter(Boolean);
  const language = voiceFor(button.closest(".message").querySelector(".blocks").lang);
  speaking = button;
  button.setAttribute("aria-pressed", "true");
  nameSpeech(button, button.dataset.stop);
  // Some browsers end a long utterance early, so each block is one.
  texts.forEach((text, place) => {
    const part = new SpeechSynthesisUtterance(text);
    part.lang = language;
    if (place === texts.length - 1) part.addEventListener("end", () => speaking === button && stopSpeaking());
    speechSynthesis.speak(part);
  });
}

document.addEventListener("click", ({ target }) => {
  const button = canSpeak && target.closest("[data-read]");
  if (!button) return;
  const again = button !== speaking;
  stopSpeaking();
  if (again) speak(button);
});
addEventListener("pagehide", stopSpeaking);
