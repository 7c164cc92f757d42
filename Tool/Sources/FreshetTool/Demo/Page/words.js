// What just happened, for those who look and for those who listen.

import { counted, rowCount } from "./list.js";

const announcer = document.getElementById("announcer");
const lines = document.getElementById("log");
let waiting = [];
let timer = null;

/** Leaves a text that is right alone, so that it is not announced again. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Tells a screen reader, when it has finished its sentence; what comes together is said together. */
export function announce(text) {
  waiting.push(text);
  timer ??= setTimeout(() => {
    announcer.textContent = waiting.slice(-3).join(". ");
    [waiting, timer] = [[], null];
  }, 700);
}

/** Adds a line to what just happened. */
export function log(text) {
  const line = document.createElement("li");
  line.textContent = text;
  lines.prepend(line);
  lines.children[8]?.remove();
  return line;
}

const origins = { network: "From the server", cache: "From disk", memory: "From memory", edit: "Your edit" };

/** What caused a batch. */
function cause({ origin, search }) {
  if (search === undefined) return origins[origin] ?? origin;
  return search ? `Search for “${search}”` : "Search cleared";
}

/** Notes what a batch did to the list. */
export function note(batch, touched) {
  if (batch.search !== undefined) return noteSearch(batch);
  const only = (nodes) => nodes.filter((node) => node.matches(".row"));
  const [inserted, deleted, moved, updated] =
    [touched.inserted, touched.deleted, touched.moved, touched.updated].map(only);
  const what = [
    inserted.length && `+${counted(inserted.length, "row")}`,
    deleted.length && `−${counted(deleted.length, "row")}`,
    moved.length && `${moved.length} moved`,
    updated.length && `${updated.length} updated`,
  ].filter(Boolean).join(", ");
  const untouched = rowCount() - new Set([...inserted, ...moved, ...updated]).size;
  const line = log(`${cause(batch)}: ${what || "no change"}`);
  const rest = line.appendChild(document.createElement("span"));
  if (untouched > 0) rest.textContent = `${counted(untouched, "row")} untouched`;
  if (batch.origin === "network") announceNews(inserted, deleted);
}

/** Notes that the list shows a search. Its parts may arrive one after the other: the last count is that of all. */
function noteSearch(batch) {
  const text = `${cause(batch)}: ${counted(rowCount(), "row")}`;
  if (lines.firstElementChild?.dataset.search === batch.search) lines.firstElementChild.remove();
  log(text).dataset.search = batch.search;
  waiting = waiting.filter((other) => !other.startsWith(`${cause(batch)}: `));
  announce(text);
}

function announceNews(inserted, deleted) {
  if (inserted.length > 0) announce(`${counted(inserted.length, "row")} added`);
  if (deleted.some((node) => node.matches(".gap"))) announce("A gap is filled");
}
