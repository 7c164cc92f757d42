// The switches of the feed server, as they are set there.

import { counted } from "./list.js";
import { setText } from "./words.js";

const element = (id) => document.getElementById(id);

export function renderServer(server) {
  const absent = server.mode === "absent";
  element("controls").disabled = absent;
  element("absent").hidden = !absent;
  const stars = server.stars > 0 ? `, ${counted(server.stars, "star")}` : "";
  setText(element("requests"), `${counted(server.requests, "request")}${stars}`);
  for (const button of document.querySelectorAll("[data-mode]")) {
    button.ariaPressed = button.dataset.mode === server.mode;
  }
  // Folded away, the sheet still says how the server behaves.
  setText(element("sheet").querySelector("span"), `Server: ${server.mode}`);
  element("playing").ariaPressed = server.playing;
  element("playing").dataset.post = `/server/playing/${!server.playing}`;
}

element("sheet").addEventListener("click", () => {
  element("sheet").ariaExpanded = element("sheet").ariaExpanded !== "true";
});
