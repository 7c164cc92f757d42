// The list takes one stop of the tab key: arrows go from row to row, tab from a row to its other buttons.

const list = document.getElementById("list");
const input = document.querySelector("#search input");
const buttons = (row) => [...row.querySelectorAll("button")];
const rows = () => [...list.querySelectorAll(".row")];

let current = null;

/** Makes a row the one that the tab key leads to. */
function makeCurrent(row) {
  if (current === row) return;
  for (const button of current ? buttons(current) : []) button.tabIndex = -1;
  for (const button of row ? buttons(row) : []) button.tabIndex = 0;
  current = row;
}

function focus(row) {
  if (row) buttons(row)[0].focus();
}

/** Runs a change of the list, and leaves the focus on the row that had it, or on its neighbour. */
export function keepingFocus(change) {
  const focused = list.contains(document.activeElement) ? document.activeElement : null;
  const row = focused?.closest(".row");
  const index = row ? rows().indexOf(row) : -1;
  const result = change();
  if (row && document.activeElement !== focused) {
    const heir = row.isConnected && list.contains(row) ? null : rows()[Math.min(index, rows().length - 1)];
    const target = heir ? buttons(heir)[0] : focused;
    target.focus({ preventScroll: true });
  }
  if (!current || !list.contains(current)) makeCurrent(list.querySelector(".row"));
  return result;
}

list.addEventListener("focusin", ({ target }) => {
  const row = target.closest(".row");
  if (row) makeCurrent(row);
});

list.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const all = rows();
  const place = all.indexOf(event.target.closest(".row"));
  const page = Math.max(1, Math.floor(innerHeight / (all[0]?.offsetHeight || 64)) - 3);
  const next = {
    ArrowDown: place + 1, ArrowUp: place - 1, j: place + 1, k: place - 1,
    PageDown: place + page, PageUp: place - page, Home: 0, End: all.length - 1,
  }[event.key];
  if (next !== undefined) focus(all[Math.min(Math.max(next, 0), all.length - 1)]);
  else if (event.key === "s") all[place]?.querySelector(".star")?.click();
  else if (event.key === "Escape") document.activeElement.blur();
  else return;
  event.preventDefault();
});

input.addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown") focus(current);
  // A text is cleared first, as search fields do by themselves.
  else if (event.key === "Escape" && input.value === "") input.blur();
  else return;
  event.preventDefault();
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.target.matches("input")) return;
  event.preventDefault();
  input.focus();
  input.select();
});

document.getElementById("skip").addEventListener("click", (event) => {
  event.preventDefault();
  focus(current);
});
