// A million rows in a box that scrolls. Only those on screen are in the page: each is drawn at its place in the list,
// counted from the first row on screen.
//
// A browser draws nothing that is as high as a million rows. The box is less high, and the place in the list is kept
// here: a small step of the scroll bar scrolls by as many pixels, a large one by as great a part of the list. Near both
// ends of the bar, each of its pixels is one of the list.

import { counted, fillQuake } from "./list.js";
import { ask, post } from "./post.js";
import { connect, on } from "./stream.js";
import { setText } from "./words.js";

const element = (id) => document.getElementById(id);
const [scroller, list, space] = [element("scroller"), element("rows"), element("space")];
/** The greatest height of the box, which all browsers draw, and the greatest step of a wheel or a key, in pixels. */
const [longest, largestStep] = [16_000_000, 5_000];
const rowHeight = 4 * parseFloat(getComputedStyle(document.documentElement).fontSize);

/** The first row on screen, whose fraction is hidden. */
let top = 0;
/** Where the reader was when the stream broke, until the new one has that many rows. */
let goal = null;
/** The last frame: rows from an index on, `null` for those that are not loaded. */
let frame = { stream: null, first: 0, count: 0, shift: 0, rows: [] };
/** The rows that are drawn, by their indices. */
const drawn = new Map();

const height = () => scroller.clientHeight / rowHeight;
const last = () => Math.max(0, frame.count - height());

// MARK: Drawing

const clone = (template) => element(template).content.firstElementChild.cloneNode(true);

const isSame = (quake, other) =>
  quake && other ? Object.keys(quake).every((key) => quake[key] === other[key]) : quake === other;

/** Returns the node of a row, which is the one that is drawn if it shows the same. */
function node(index) {
  const quake = frame.rows[index - frame.first] ?? null;
  const old = drawn.get(index);
  if (old && isSame(quake, old.quake)) return old;
  if (quake && old?.quake?.id === quake.id) return revise(old, quake);
  const row = clone(quake ? "quake" : "missing");
  row.ariaPosInSet = index + 1;
  if (quake) fill(row, quake);
  old?.remove();
  // In their order for screen readers, too: those above are drawn already.
  const above = drawn.get(index - 1);
  if (above) above.after(row);
  else list.prepend(row);
  drawn.set(index, row);
  return row;
}

/** Shows the new values of a quake in the row that it has. */
function revise(row, quake) {
  fill(row, quake);
  row.classList.remove("fresh");
  row.getBoundingClientRect();  // otherwise its colour would not fade once more
  row.classList.add("fresh");
  return row;
}

function fill(row, quake) {
  row.quake = quake;
  fillQuake(row, quake);
  row.dataset.id = quake.id;
  row.querySelector("time").textContent = new Date(quake.time).toLocaleString("en-GB", {
    day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", timeZone: "UTC",
  });
}

function draw() {
  const [first, end] = [Math.floor(top), Math.min(frame.count, Math.ceil(top + height()))];
  for (const [index, row] of drawn) {
    if (index >= first && index < end) continue;
    row.remove();
    drawn.delete(index);
  }
  for (let index = first; index < end; index += 1) {
    const row = node(index);
    row.style.transform = `translateY(${(index - top) * rowHeight}px)`;
    row.ariaSetSize = frame.count;
  }
  setText(element("place"), frame.count ? `${(first + 1).toLocaleString()} of ${frame.total ?? frame.count}` : "");
}

// MARK: Scrolling

let y = 0;
let resting = null;

scroller.addEventListener("scroll", () => {
  const step = scroller.scrollTop - y;
  if (step === 0) return;
  [y, goal] = [scroller.scrollTop, null];
  const isSmall = Math.abs(step) < largestStep;
  go(isSmall ? top + step / rowHeight : placeOf(y), { isAligned: isSmall && isAtEdge() });
});

/** How far the bar goes, and how far the rows go, in pixels. */
const ways = () => [scroller.scrollHeight - scroller.clientHeight, last() * rowHeight];

/** The parts of both ways between their ends, where a pixel of the bar is many of the list. */
const middles = () => ways().map((way) => way - 2 * largestStep);

const isShort = () => frame.count * rowHeight <= longest;

/** The place in the list for one of the bar. */
function placeOf(y) {
  const [[bar, rows], [barMiddle, rowsMiddle]] = [ways(), middles()];
  if (isShort() || y <= largestStep) return y / rowHeight;
  if (y >= bar - largestStep) return (rows - (bar - y)) / rowHeight;
  return (largestStep + (y - largestStep) / barMiddle * rowsMiddle) / rowHeight;
}

/** The place of the bar for one in the list. */
function barOf(place) {
  const [[bar, rows], [barMiddle, rowsMiddle], pixels] = [ways(), middles(), place * rowHeight];
  if (isShort() || pixels <= largestStep) return pixels;
  if (pixels >= rows - largestStep) return bar - (rows - pixels);
  return largestStep + (pixels - largestStep) / rowsMiddle * barMiddle;
}

/** Whether the scroll bar can go no further in one direction. */
const isAtEdge = () => y <= 0 || y >= ways()[0] - 1;

/** Shows another place; the scroll bar follows at once, or when it rests. */
function go(place, { isAligned }) {
  top = Math.min(Math.max(0, place), last());
  draw();
  sendView();
  clearTimeout(resting);
  if (isAligned) align();
  else resting = setTimeout(align, 150);
}

/** Puts the scroll bar to the place in the list. */
function align() {
  resting = null;
  space.style.height = `${Math.min(longest, frame.count * rowHeight)}px`;
  scroller.scrollTop = barOf(top);
  y = scroller.scrollTop;
}

scroller.addEventListener("keydown", (event) => {
  const place = { Home: 0, End: last() }[event.key];
  if (place === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  go(place, { isAligned: true });
});

new ResizeObserver(() => go(top, { isAligned: true })).observe(scroller);

// MARK: Requests and frames

let isSending = false;
let hasNews = false;

/** Sends which rows are on screen, one request after the other. */
async function sendView() {
  hasNews = frame.count > 0;
  if (isSending) return;
  isSending = true;
  while (hasNews) {
    hasNews = false;
    await post(`/archive/view?top=${top}&height=${height()}&shift=${frame.shift}`);
  }
  isSending = false;
}

function receive(next) {
  // A new stream begins with its first rows, although the reader may be elsewhere.
  const isNew = next.stream !== frame.stream || frame.count === 0;
  if (isNew && top > 0) goal = top;
  const moved = isNew ? 0 : next.shift - frame.shift;
  const isLonger = next.count !== frame.count;
  frame = next;
  top = Math.min(Math.max(0, top + moved), last());
  draw();
  // A bar that moves is aligned when it rests.
  if ((isLonger || moved) && resting === null) align();
  if (isNew) sendView();
  if (goal !== null && goal <= last()) {
    go(goal, { isAligned: true });
    goal = null;
  }
  element("opening").hidden = true;
  setText(element("loaded"), `${counted(frame.loaded, "row")} in memory`);
  setText(element("memory"), frame.memory ? `${frame.memory} MB for the whole demo` : "");
  element("play").ariaPressed = frame.isPlaying;
  render(frame.trouble);
}

function render(trouble) {
  document.body.dataset.health = trouble ? "failed" : "good";
  const [title, advice] = element("banner").querySelectorAll("b, span");
  element("banner").hidden = !trouble;
  setText(title, trouble?.message ?? "");
  setText(advice, trouble?.advice ?? "");
  element("banner").title = trouble?.detail ?? "";
}

on("open", () => setText(element("place"), "Opening…"));
on("error", () => {
  document.body.dataset.health = "lost";
  setText(element("place"), "The demo has stopped");
});
on("frame", (data) => receive(JSON.parse(data)));
on("trouble", (data) => render(JSON.parse(data)));

element("tools").addEventListener("submit", async (event) => {
  event.preventDefault();
  const index = await ask(`/archive/row?day=${element("day").value}`);
  if (index === null) return;
  go(Number(index), { isAligned: true });
  scroller.focus({ preventScroll: true });
});
element("play").addEventListener("click", ({ target }) => post(`/archive/play/${target.ariaPressed !== "true"}`));
element("banner").querySelector("button").addEventListener("click", ({ target }) => post(target.dataset.post));

connect(() => "/archive/updates");
