// The page keeps no list of its own: the rows in the DOM are the list, and every batch is performed on
// them as UITableView would, so rows a batch does not name are not touched.

const element = (id) => document.getElementById(id);
const list = element("list");
const bar = element("bar");
const counted = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

let connected = false;
let shownError = null;
let holding = false;
let state = {
  refresh: null, next: null, gaps: {}, refreshedAt: null, cached: false, saved: true,
  query: "", showsOldRows: false,
  server: { mode: "normal", playing: false, requests: 0 },
};

window.freshet = { batches: 0, last: null };

// MARK: Rows

const clone = (template) => element(template).content.firstElementChild.cloneNode(true);

function makeRow(row) {
  const node = clone(row.kind);
  node.dataset.id = row.id;
  if (row.kind === "gap") node.dataset.gap = row.gap;
  return fill(node, row);
}

function fill(node, row) {
  if (row.kind === "gap") return node;
  if (row.kind === "day") return fillDay(node, row);
  const [place, ...region] = row.place.split(", ");
  const time = `${new Date(row.time).toISOString().slice(11, 16)} UTC`;
  const depth = `${Math.round(row.depth)} km deep`;
  const magnitude = node.querySelector(".magnitude");
  magnitude.textContent = row.magnitude.toFixed(1);
  magnitude.ariaLabel = `Magnitude ${magnitude.textContent}`;
  magnitude.style.setProperty("--magnitude", row.magnitude);
  node.querySelector(".place").textContent = place;
  node.querySelector(".details").textContent = [time, depth, ...region].join(" · ");
  node.querySelector(".revised").hidden = !row.revised;
  node.querySelector(".star").ariaPressed = row.starred;
  return node;
}

function fillDay(node, { day }) {
  const part = (options) =>
    new Date(day).toLocaleDateString("en-GB", { ...options, timeZone: "UTC" });
  node.querySelector("h2").textContent =
    `${part({ weekday: "long" })}, ${part({ day: "numeric", month: "long", year: "numeric" })}`;
  return node;
}

// MARK: Batches

/** Performs a batch on the list, which is one section, and returns the rows it touched. */
function perform(changes) {
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

function receive(batch) {
  const first = list.childElementCount === 0;
  const few = batch.changes.length <= 60;
  const reading = isScrolled();
  const seen = places();
  for (const animation of list.getAnimations({ subtree: true })) {
    if (animation.id === "slide") animation.cancel();
  }
  const resting = places();

  const touched = perform(batch.changes);
  // With the top of the list in view new rows push the others down; else what is read stays put.
  if (reading) holdStill(resting, touched.moved);
  if (!first && few) animate(seen, touched, batch.origin);

  note(batch, touched);
  window.freshet.batches += 1;
  window.freshet.last = batch;
  render();
  watchEnd();
}

function note({ origin }, touched) {
  const only = (nodes) => nodes.filter((node) => node.matches(".row"));
  const [inserted, deleted, moved, updated] =
    [touched.inserted, touched.deleted, touched.moved, touched.updated].map(only);
  const what = [
    inserted.length && `+${counted(inserted.length, "row")}`,
    deleted.length && `−${counted(deleted.length, "row")}`,
    moved.length && `${moved.length} moved`,
    updated.length && `${updated.length} updated`,
  ].filter(Boolean);
  const untouched = rowCount() - new Set([...inserted, ...moved, ...updated]).size;
  const line = log(`${origin}: ${what.join(", ") || "no change"}`);
  const rest = line.appendChild(document.createElement("span"));
  if (untouched > 0) rest.textContent = `${counted(untouched, "row")} untouched`;
}

const rowCount = () => list.querySelectorAll(".row").length;

/** Adds a line to what just happened. */
function log(text) {
  const line = document.createElement("li");
  line.textContent = text;
  element("log").prepend(line);
  element("log").children[8]?.remove();
  return line;
}

// MARK: Motion

/** The dividers and rows near the viewport, with their places on screen: all one sees move. */
function places() {
  const found = new Map();
  for (const node of list.children) {
    const place = node.getBoundingClientRect();
    if (place.bottom > -innerHeight && place.top < 2 * innerHeight) found.set(node, place);
  }
  return found;
}

/** Whether the top of the list is out of view; half pixels do not count. */
function isScrolled() {
  return list.getBoundingClientRect().top < bar.getBoundingClientRect().bottom - 1;
}

/** Scrolls so that the first row in view that stayed in the list is where it was. */
function holdStill(resting, moved) {
  for (const [node, { top }] of resting) {
    const inView = node.matches(".row") && top >= bar.getBoundingClientRect().bottom;
    if (!inView || !node.isConnected || moved.includes(node)) continue;
    scrollBy(0, node.getBoundingClientRect().top - top);
    return;
  }
}

function animate(seen, { inserted, moved, updated }, origin) {
  if (origin === "network") {
    const tint = [{ backgroundColor: "var(--fresh)", offset: 0 }];
    const rows = inserted.filter((node) => node.matches(".row"));
    for (const node of rows) node.animate(tint, { duration: 2500, easing: "ease-in" });
  }
  if (reducedMotion.matches || document.hidden) return;

  const timing = { duration: 250, easing: "cubic-bezier(.2, 0, 0, 1)" };
  for (const [node, { top }] of places()) {
    const way = (seen.get(node)?.top ?? top) - top;
    const slide = { transform: [`translateY(${way}px)`, "none"] };
    if (!seen.has(node)) node.animate({ opacity: [0, 1] }, timing);
    else if (Math.abs(way) > 0.5) node.animate(slide, { ...timing, id: "slide" });
  }
  // A moved row passes above the others.
  for (const node of moved) node.animate({ zIndex: [1, 1] }, timing);
  for (const [node, place] of seen) {
    if (!node.isConnected) fadeOut(node, place, timing);
  }
  for (const node of updated) {
    const beat = { transform: ["none", "scale(1.3)", "none"] };
    node.querySelector(".magnitude")?.animate(beat, { duration: 600, easing: "ease-in-out" });
  }
}

/** Lets a node that left the list fade where it was, outside the list and below its rows. */
function fadeOut(node, { top, left, width }, timing) {
  delete node.dataset.id;
  Object.assign(node.style, {
    top: `${top + scrollY}px`, left: `${left + scrollX}px`, width: `${width}px`,
  });
  element("ghosts").append(node);
  node.animate({ opacity: [1, 0] }, timing).onfinish = () => node.remove();
}

// MARK: State

function render() {
  const {
    refresh, next, gaps, refreshError, nextError, editError, newItems, saved, server, query,
    showsOldRows,
  } = state;
  const count = rowCount();

  document.body.dataset.connected = connected;
  const found = query && `${next === "end" ? "" : "first "}${counted(count, "row")} for “${query}”`;
  const rows = `${found || counted(count, "row")}${saved ? "" : ", not saved yet"}`;
  const searching = query ? `Looking for “${query}”, old rows meanwhile` : "Going back to all rows";
  setText(
    element("connection"),
    `${connected ? "Connected" : "Disconnected"} · ${showsOldRows ? searching : rows}`);
  list.ariaBusy = showsOldRows;
  renderAge();
  element("refresh").ariaBusy = refresh === "loading";

  const [reading, height] = [isScrolled(), bar.offsetHeight];
  element("banner").hidden = refresh !== "failed";
  setText(element("banner").querySelector("p"), `Could not refresh: ${refreshError ?? ""}`);
  // The banner must not push the rows that are being read.
  if (reading) scrollBy(0, bar.offsetHeight - height);

  element("new").hidden = !newItems;
  setText(element("new"), newItems ? `${newItems} new` : "");
  if (editError && editError !== shownError) log(editError);
  shownError = editError;

  const waiting = !connected || refresh === null || refresh === "loading";
  element("skeleton").hidden = count > 0 || !waiting;
  element("empty").hidden = count > 0 || waiting;
  setText(element("empty"), query ? `No place is called “${query}”` : "No rows yet");
  const footer = {
    loading: "Loading…", end: "That is all",
    failed: `Could not load more: ${nextError ?? ""}`,
  };
  const isShown = count > 0 && !showsOldRows;
  setText(element("footer").querySelector("p"), (isShown && footer[next]) || "");
  element("retry").hidden = next !== "failed";

  for (const gap of list.querySelectorAll(".gap")) {
    const [above, text, below] = gap.children;
    const load = gaps[gap.dataset.gap] ?? "idle";
    gap.ariaBusy = load === "loading";
    setText(above, "Load from above");
    setText(below, "Load from below");
    setText(text, {
      idle: "Rows may be missing here", loading: "Loading…",
      failed: "Could not load these rows", end: "Nothing is missing here",
    }[load]);
  }

  const absent = server.mode === "absent";
  element("controls").disabled = absent;
  element("absent").hidden = !absent;
  setText(element("requests"), counted(server.requests, "request"));
  for (const button of document.querySelectorAll("[data-mode]")) {
    button.ariaPressed = button.dataset.mode === server.mode;
  }
  element("playing").ariaPressed = server.playing;
  element("playing").dataset.post = `/server/playing/${!server.playing}`;
}

function renderAge() {
  const { refresh, refreshedAt, cached, server } = state;
  const stale = cached || refresh === "failed" || server.mode === "offline";
  const seconds = Math.max(0, Math.round((Date.now() - refreshedAt) / 1000));
  const units = [["d", 86400], ["h", 3600], ["min", 60], ["s", 1]];
  const [unit, length] = units.find(([, length]) => seconds >= length) ?? units.at(-1);
  const ago = `refreshed ${Math.floor(seconds / length)} ${unit} ago`;
  const age = refreshedAt == null ? "not refreshed yet" : ago;
  setText(element("age"), ` · ${stale ? "cached rows, " : ""}${age}`);
}

/** Leaves a text that is right alone, so that it is not announced again. */
function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

// MARK: Actions

// What comes of an action arrives as an event, and a lost connection shows in the status.
const post = (path) => fetch(path, { method: "POST" }).catch(() => {});

document.addEventListener("click", ({ target }) => {
  const button = target.closest("button");
  const gap = button?.closest("[data-gap]");
  if (gap) post(`/gap/${gap.dataset.gap}/${button.dataset.side}`);
  else if (button?.matches(".star")) {
    post(`/star/${button.closest("[data-id]").dataset.id}/${button.ariaPressed !== "true"}`);
  } else if (button?.id === "new") {
    scrollTo({ top: 0, behavior: reducedMotion.matches ? "auto" : "smooth" });
    post("/show");
  }
  else if (button?.dataset.post) post(button.dataset.post);
  else if (target.closest(".row[data-id]:not(.gap)")) why(target.closest(".row"));
});

/** Says why a row is where it is. */
async function why(row) {
  const answer = await fetch(`/why/${row.dataset.id}`).catch(() => null);
  if (answer?.ok) log(`${row.querySelector(".place").textContent}: ${await answer.text()}`);
}

// The list shows what was asked for last, so the requests keep their order.
const input = element("search").firstElementChild;
let asked = Promise.resolve();

function search(now) {
  const text = encodeURIComponent(input.value);
  asked = asked.then(() => post(`/search?for=${text}&now=${now}`));
  scrollTo({ top: 0, behavior: "instant" });
}

input.addEventListener("input", () => search(false));
element("search").addEventListener("submit", (event) => {
  event.preventDefault();
  input.blur();
  search(true);
});

// Rows that come while one reads further down wait until one is back at the top, or asks for them.
addEventListener("scroll", () => {
  if (isScrolled() === holding) return;
  holding = !holding;
  post(holding ? "/hold" : "/show");
}, { passive: true });

const end = new IntersectionObserver((entries) => {
  const near = entries.at(-1).isIntersecting && list.childElementCount > 0;
  if (near && state.next === "idle" && !state.showsOldRows) post("/more");
}, { rootMargin: "600px" });

/** Looks anew whether the end is near: an observer tells only when that changes. */
function watchEnd() {
  end.disconnect();
  end.observe(element("sentinel"));
}

// MARK: Events

const updates = new EventSource("/updates");
const on = (event, handle) => updates.addEventListener(event, ({ data }) => handle(data));

function setConnected(value) {
  connected = value;
  render();
}

on("open", () => setConnected(true));
on("error", () => setConnected(false));
on("reset", () => {
  list.replaceChildren();
  render();
});
on("update", (data) => receive(JSON.parse(data)));
on("state", (data) => {
  const before = state;
  state = JSON.parse(data);
  if (document.activeElement !== input) input.value = state.query;
  render();
  const mayGoOn = ({ next, showsOldRows }) => next === "idle" && !showsOldRows;
  if (!mayGoOn(before) && mayGoOn(state)) watchEnd();
});

// Dividers stick below the bar, whose height changes with its text and banner.
new ResizeObserver(() => {
  document.documentElement.style.setProperty("--bar", `${bar.offsetHeight}px`);
}).observe(bar);
setInterval(renderAge, 1000);
render();
