// The page keeps no lists of its own: the rows in the DOM are the lists, and every batch is performed on
// them as UITableView would, so rows a batch does not name are not touched.

const list = document.getElementById("list");

/** How many there are, in words. */
export const counted = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

/** How many rows the list has, gaps among them. */
export const rowCount = () => list.querySelectorAll(".row").length;

const clone = (template) =>
  document.getElementById(template).content.firstElementChild.cloneNode(true);

function makeRow(row) {
  const node = clone(row.kind);
  node.dataset.id = row.id;
  if (row.kind === "gap") node.dataset.gap = row.gap;
  return fill(node, row);
}

function fill(node, row) {
  if (row.kind === "gap" || row.kind === "strong-gap") return node;
  if (row.kind === "day") return fillDay(node, row);
  const part = (selector) => node.querySelector(selector);
  const place = fillQuake(node, row);
  part(".star").ariaPressed = row.starred;
  part(".star").ariaLabel = `Star ${place}`;
  if (row.kind === "strong-quake") {
    part("time").textContent = new Date(row.time).toLocaleDateString(
      "en-GB", { day: "numeric", month: "long", timeZone: "UTC" });
    return node;
  }
  part(".revised").hidden = !row.revised;
  part("time").textContent = part("time").dateTime.slice(11, 16);
  return node;
}

/** Shows what all lists show of a quake, and returns the name of its place. */
export function fillQuake(node, row) {
  const part = (selector) => node.querySelector(selector);
  // "81 km NNW of Dompu, Indonesia": the place is prominent, and the distance is below it.
  const [, distance, place] = row.place.match(/^(\d+ km \w+) of (.+)$/) ?? [null, null, row.place];
  const magnitude = row.magnitude.toFixed(1);
  part(".magnitude").textContent = magnitude;
  part(".magnitude").ariaLabel = `Magnitude ${magnitude}`;
  part(".magnitude").style.setProperty("--magnitude", row.magnitude);
  part(".place").textContent = place;
  part("time").dateTime = new Date(row.time).toISOString();
  if (part(".details")) {
    part(".details").textContent =
      [distance, `${Math.round(row.depth)} km deep`].filter(Boolean).join(" · ");
  }
  return place;
}

function fillDay(node, { day }) {
  const part = (options) =>
    new Date(day).toLocaleDateString("en-GB", { ...options, timeZone: "UTC" });
  node.querySelector("h2").textContent =
    `${part({ weekday: "long" })}, ${part({ day: "numeric", month: "long", year: "numeric" })}`;
  return node;
}

/** Performs a batch on a list, which is one section, and returns the rows it touched. */
export function perform(changes, list) {
  const all = (op) => changes.filter((change) => change.op === op);
  const row = ([, index]) => list.children[index];
  const byPath = (a, b) => a.path[1] - b.path[1];

  // What leaves its place is named in coordinates before the batch: find it all, then take it out.
  const isCleared = all("deleteSection").length > 0;
  const deleted = isCleared ? [...list.children] : all("delete").map(({ path }) => row(path));
  const moves = all("move").map((move) => ({ node: row(move.from), path: move.to, row: move.item }));
  const moved = moves.map(({ node }) => node);
  for (const node of [...deleted, ...moved]) node.remove();

  // What comes is named in coordinates after it, which are right when taken in ascending order.
  const inserts = all("insert").map(({ path, item }) => ({ node: makeRow(item), path }));
  for (const { node, path } of [...inserts, ...moves].sort(byPath)) {
    list.insertBefore(node, row(path) ?? null);
  }

  const updated = all("update").map((update) => fill(row(update.path), update.item));
  for (const move of moves) fill(move.node, move.row);
  return { inserted: inserts.map(({ node }) => node), deleted, moved, updated };
}
