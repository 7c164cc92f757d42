// Stars that the server has not answered for: marked on their rows, counted, and told.

import { counted } from "./list.js";
import { announce, log, setText } from "./words.js";

/** How long the server may take before a star counts as not sent, in milliseconds. */
const patience = 600;
/** When each quake got its star, by the page's clock. */
const since = new Map();
let timer = null;
let told = 0;

/** Marks the rows of quakes whose stars are not sent, and says how many stars there are. */
export function renderStars(pending, unsent, isNarrow) {
  const now = performance.now();
  for (const id of since.keys()) if (!pending.includes(id)) since.delete(id);
  for (const id of pending) if (!since.has(id)) since.set(id, now);
  const late = pending.filter((id) => now - since.get(id) >= patience);
  clearTimeout(timer);
  if (late.length < pending.length) {
    timer = setTimeout(() => renderStars(pending, unsent, isNarrow), patience);
  }

  for (const row of document.querySelectorAll(".unsent")) mark(row, late.includes(row.dataset.id));
  for (const id of late) {
    for (const row of document.querySelectorAll(`[data-id="${CSS.escape(id)}"]`)) mark(row, true);
  }
  const count = late.length > 0 ? unsent : 0;
  const stars = isNarrow ? count : counted(count, "star");
  setText(document.getElementById("unsent"), count ? `${stars} not sent` : "");
  tell(count);
}

function mark(row, isUnsent) {
  row.classList.toggle("unsent", isUnsent);
  row.querySelector(".note").hidden = !isUnsent;
  const star = row.querySelector(".star");
  const name = star.ariaLabel.replace(/, not sent$/, "");
  star.ariaLabel = isUnsent ? `${name}, not sent` : name;
}

function tell(count) {
  if (count > told || count === 0 && told > 0) {
    const text = count === 0
      ? "The server has all stars"
      : `${counted(count, "star")} kept on disk, and sent once the server answers`;
    log(text);
    announce(text);
  }
  told = count;
}
