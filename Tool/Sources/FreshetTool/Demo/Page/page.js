import { counted, perform, rowCount } from "./list.js";
import { renderGap } from "./gap.js";
import { keepingFocus } from "./keyboard.js";
import { isScrolled, scrollToTop, withMotion } from "./motion.js";
import { ask, post } from "./post.js";
import { renderServer } from "./server.js";
import { renderStars } from "./stars.js";
import { connect, on } from "./stream.js";
import { announce, log, note, setText } from "./words.js";

const element = (id) => document.getElementById(id);
const list = element("list");
const strong = element("strong").querySelector("ul");
const bar = element("bar");
const narrow = matchMedia("(max-width: 40rem)");

let connected = null;
let holding = false;
/** Whether the rows are those of a stream that ended: the first batch of the next one replaces them. */
let isReplaced = false;
/** Where the reader was when they were replaced, while more rows of the next stream may be on their way. */
let place = null;
let placeTimer = null;
let state = {
  refresh: {}, next: {}, gaps: {}, refreshedAt: null, cached: false, saved: true,
  newItems: 0, query: "", showsOldRows: false, pending: [], unsent: 0,
  server: { mode: "normal", playing: false, requests: 0, stars: 0 },
};
const said = { undone: null, newItems: 0, health: null };

window.freshet = { batches: 0, last: null, post };

function receive(batch) {
  if (isReplaced) return replace(batch);
  const isFirst = list.childElementCount === 0;
  const touched = keepingFocus(() =>
    withMotion(() => perform(batch.changes, list), {
      isAnimated: !isFirst && batch.changes.length <= 60,
      isFresh: batch.origin === "network" && batch.search === undefined,
    }));
  finish(batch, touched);
  returnToPlace();
}

/** Performs the first batch of a stream, and leaves the reader where they were. */
function replace(batch) {
  place = scrollY;
  clearTimeout(placeTimer);
  placeTimer = setTimeout(forgetPlace, 2000);
  isReplaced = false;
  list.replaceChildren();
  finish(batch, keepingFocus(() => perform(batch.changes, list)));
  returnToPlace();
}

/** The parts of the list answer one after the other: the rows of the first may not reach down to the place. */
function returnToPlace() {
  if (place === null) return;
  scrollTo({ top: place, behavior: "instant" });
  holdWhileReading();
}

function forgetPlace() {
  place = null;
}

/** Performs a batch on the strong quakes beside the list. */
function receiveStrong({ number, changes }) {
  // It is the first of its stream.
  if (number === 1) strong.replaceChildren();
  perform(changes, strong);
  element("strong").hidden = strong.childElementCount === 0;
  render();
}

function finish(batch, touched) {
  note(batch, touched);
  if (Date.now() < awayUntil) showGap(touched.inserted.find((node) => node.matches(".gap")));
  window.freshet.batches += 1;
  window.freshet.last = batch;
  render();
  watchEnd();
}

// MARK: State

/** Whether an edge of the list could not be loaded, be it tried again or not. */
const isFailed = ({ load }) => load === "failed" || load === "retrying";

/** How the list stands, in one word for the page's style and in some for its reader. */
function health() {
  if (connected === null) return ["waiting", "Connecting…"];
  if (!connected) return ["lost", "The demo has stopped"];
  if (isFailed(state.refresh)) return ["failed", "Not up to date"];
  return ["good", "Live"];
}

function render() {
  const { refresh, next, newItems, starTrouble, showsOldRows } = state;
  const count = rowCount();

  const [word, text] = health();
  document.body.dataset.health = word;
  setText(element("connection"), text);
  if (said.health && said.health !== text) announce(text);
  said.health = connected === null ? null : text;
  setText(element("count"), countText(count));
  renderAge();
  list.ariaBusy = showsOldRows;
  element("refresh").ariaBusy = refresh.load === "loading";
  renderBanner();

  element("new").hidden = !newItems;
  setText(element("new"), newItems ? `${newItems} new` : "");
  if (newItems > said.newItems) announce(`${counted(newItems, "new row")} above`);
  said.newItems = newItems;
  const undone = starTrouble && `The star was taken back. ${sentence(starTrouble)}`;
  if (undone && undone !== said.undone) {
    log(undone);
    announce(undone);
  }
  said.undone = undone;
  renderStars(state.pending, state.unsent, narrow.matches);

  renderPlaceholder(count);
  const isShown = count > 0 && !showsOldRows;
  const footer = { loading: "Loading…", end: "That is all" }[next.load] ?? sentence(next.trouble);
  setText(element("footer").querySelector("p"), isShown ? footer : "");
  element("footer").title = next.trouble?.detail ?? "";
  element("retry").hidden = !isShown || !isFailed(next);
  setText(element("retry"), retryText(next));
  for (const gap of list.querySelectorAll(".gap")) renderGap(gap, state.gaps);
  renderServer(state.server);
}

const sentence = (notice) => [notice?.message, notice?.advice].filter(Boolean).join(" ");

const retryText = ({ load }) => (load === "retrying" ? "Try now" : "Try again");

function countText(count) {
  const { query, next, saved, showsOldRows } = state;
  if (showsOldRows) return query ? `Looking for “${query}”` : "Going back to all rows";
  const rows = counted(count, isStale() && !narrow.matches ? "cached row" : "row");
  const found = query && `${next.load === "end" ? "" : "first "}${rows} for “${query}”`;
  return `${found || rows}${saved ? "" : ", not saved yet"}`;
}

function renderBanner() {
  const { refresh } = state;
  const [reading, height] = [isScrolled(), bar.offsetHeight];
  const [title, advice, retry] = element("banner").querySelectorAll("b, span, button");
  // Without rows it stands in their place.
  element("banner").hidden = !isFailed(refresh) || rowCount() === 0;
  setText(title, refresh.trouble?.message ?? "");
  setText(advice, refresh.trouble?.advice ?? "");
  setText(retry, retryText(refresh));
  element("banner").title = refresh.trouble?.detail ?? "";
  // The banner must not push the rows that are being read.
  if (reading) scrollBy(0, bar.offsetHeight - height);
}

/** What stands in the place of rows: that they load, that there are none, or why there are none. */
function renderPlaceholder(count) {
  const { refresh, query } = state;
  const waiting = !connected || !refresh.load || refresh.load === "loading";
  const failed = isFailed(refresh);
  element("skeleton").hidden = count > 0 || !waiting;
  element("empty").hidden = count > 0 || waiting;
  const nothing = query ? `No place is called “${query}”` : "No earthquakes yet";
  setText(element("empty").querySelector("p"), failed ? sentence(refresh.trouble) : nothing);
  setText(element("clear"), failed ? retryText(refresh) : "Show all earthquakes");
  element("clear").hidden = !failed && !query;
}

/** Whether rows are on display of which nobody knows that they are still true. */
function isStale() {
  const { refresh, cached, server } = state;
  return cached || isFailed(refresh) || server.mode === "offline";
}

function renderAge() {
  const { refreshedAt } = state;
  const seconds = Math.max(0, Math.round((Date.now() - refreshedAt) / 1000));
  const units = [["d", 86400], ["h", 3600], ["min", 60], ["s", 1]];
  const [unit, length] = units.find(([, length]) => seconds >= length) ?? units.at(-1);
  const ago = seconds < 10 ? "just now" : `${Math.floor(seconds / length)} ${unit} ago`;
  const age = refreshedAt == null ? "not refreshed yet" : narrow.matches ? ago : `refreshed ${ago}`;
  setText(element("age"), age);
}

// MARK: Actions

const star = (button) =>
  post(`/star/${button.closest("[data-id]").dataset.id}/${button.ariaPressed !== "true"}`);

function showNew() {
  // The button goes, and with it the focus.
  if (document.activeElement === element("new")) list.focus({ preventScroll: true });
  forgetPlace();
  scrollToTop();
  post("/show");
}

function clear() {
  if (isFailed(state.refresh)) return post("/retry");
  input.value = "";
  search(true);
  input.focus();
}

// What an absence leaves is below what one sees: the reader is taken there, if it comes soon.
let awayUntil = 0;

function showGap(gap) {
  if (!gap) return;
  awayUntil = 0;
  forgetPlace();
  renderGap(gap, state.gaps);
  announce(gap.querySelector("p").textContent);
  gap.scrollIntoView({ block: "center", behavior: "instant" });
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest("button");
  const gap = button?.closest("[data-gap]");
  if (gap) post(`/gap/${gap.dataset.gap}/${button.dataset.side}`);
  else if (button?.matches(".star")) star(button);
  else if (button?.id === "new") showNew();
  else if (button?.id === "clear") clear();
  else if (button?.dataset.post) {
    awayUntil = button.id === "away" ? Date.now() + 20_000 : 0;
    post(button.dataset.post);
  }
  else if (target.closest(".row[data-id]:not(.gap)")) why(target.closest(".row"));
});

/** Says why a row is where it is. */
async function why(row) {
  const answer = await ask(`/why/${row.dataset.id}`);
  if (!answer) return;
  const text = `${row.querySelector(".place").textContent}: ${answer}`;
  log(text);
  announce(text);
}

// The list shows what was asked for last, so the requests keep their order.
const input = element("search").querySelector("input");
let asked = Promise.resolve();

function sendSearch(now) {
  const text = encodeURIComponent(input.value);
  asked = asked.then(() => post(`/search?for=${text}&now=${now}`));
}

function search(now) {
  sendSearch(now);
  forgetPlace();
  scrollToTop();
}

input.addEventListener("input", () => search(false));
element("search").addEventListener("submit", (event) => {
  event.preventDefault();
  input.blur();
  search(true);
});

/** Rows that come while one reads further down wait until one is back at the top, or asks for them. */
function holdWhileReading() {
  if (isScrolled() === holding) return;
  holding = !holding;
  post(holding ? "/hold" : "/show");
}
addEventListener("scroll", holdWhileReading, { passive: true });
for (const event of ["wheel", "touchmove", "keydown", "pointerdown"]) {
  addEventListener(event, forgetPlace, { passive: true });
}

const end = new IntersectionObserver((entries) => {
  const near = entries.at(-1).isIntersecting && list.childElementCount > 0;
  if (near && state.next.load === "idle" && !state.showsOldRows) post("/more");
}, { rootMargin: "600px" });

/** Looks anew whether the end is near: an observer tells only when that changes. */
function watchEnd() {
  end.disconnect();
  end.observe(element("sentinel"));
}

// MARK: Events

function setConnected(value) {
  connected = value;
  render();
}

on("open", () => setConnected(true));
on("error", () => setConnected(false));
// The other side knows nothing of this page yet, or no longer.
on("reset", () => {
  isReplaced = true;
  holding = false;
  if (input.value) sendSearch(true);
});
on("update", (data) => receive(JSON.parse(data)));
on("strong", (data) => receiveStrong(JSON.parse(data)));
on("state", (data) => {
  const before = state;
  state = JSON.parse(data);
  render();
  const mayGoOn = ({ next, showsOldRows }) => next.load === "idle" && !showsOldRows;
  if (!mayGoOn(before) && mayGoOn(state)) watchEnd();
});

// Dividers stick below the bar, whose height changes with its text and banner. Where it is tall it scrolls.
function measure() {
  const isTall = bar.offsetHeight > 0.3 * innerHeight;
  bar.classList.toggle("tall", isTall);
  document.documentElement.style.setProperty("--bar", `${isTall ? 0 : bar.offsetHeight}px`);
}
new ResizeObserver(measure).observe(bar);
addEventListener("resize", measure);
setInterval(renderAge, 1000);
render();
connect(() => `/updates?for=${encodeURIComponent(input.value)}`);
