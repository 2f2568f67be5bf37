// The browser's time zone, for a user's first sign-in.
"use strict";

document.getElementById("id_time_zone").value =
  Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
