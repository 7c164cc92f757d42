// What moves when a batch is performed, and what must not: the rows that are being read.

const list = document.getElementById("list");
const bar = document.getElementById("bar");
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

/** Where the list begins to be covered. */
const top = () => Math.max(0, bar.getBoundingClientRect().bottom);

/** Whether the top of the list is out of view; half pixels do not count. */
export const isScrolled = () => list.getBoundingClientRect().top < top() - 1;

/** Shows the first row again: at once, as rows that come meanwhile would stop a smooth way up. */
export const scrollToTop = () => scrollTo({ top: 0, behavior: "instant" });

/** Runs a change of the list, and shows what it did while the rows that are read stay where they are. */
export function withMotion(change, { isAnimated, isFresh }) {
  const reading = isScrolled();
  const seen = places();
  for (const animation of list.getAnimations({ subtree: true })) {
    if (animation.id === "slide") animation.cancel();
  }
  const resting = places();
  const touched = change();
  // With the top of the list in view new rows push the others down; else what is read stays put.
  if (reading) holdStill(resting, touched.moved);
  if (isAnimated) animate(seen, touched, isFresh);
  return touched;
}

/** The dividers and rows near the viewport, with their places on screen: all one sees move. */
function places() {
  const found = new Map();
  for (const node of list.children) {
    const place = node.getBoundingClientRect();
    if (place.bottom > -innerHeight && place.top < 2 * innerHeight) found.set(node, place);
  }
  return found;
}

/** Scrolls so that the first row in view that stayed in the list is where it was. */
function holdStill(resting, moved) {
  for (const [node, place] of resting) {
    const inView = node.matches(".row") && place.top >= top();
    if (!inView || !node.isConnected || moved.includes(node)) continue;
    scrollBy(0, node.getBoundingClientRect().top - place.top);
    return;
  }
}

const isBefore = (node, other) =>
  (other?.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_PRECEDING) > 0;

function animate(seen, { inserted, moved, updated }, isFresh) {
  if (isFresh) {
    const tint = [{ backgroundColor: "var(--fresh)", offset: 0 }];
    // What comes behind the last row was asked for by scrolling: it is no news.
    const known = [...list.querySelectorAll(".row")].filter((node) => !inserted.includes(node)).at(-1);
    const rows = inserted.filter((node) => node.matches(".row") && isBefore(node, known));
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
  node.inert = true;
  const start = `${left + scrollX}px`;
  // A window that becomes narrower meanwhile does not scroll sideways for it.
  Object.assign(node.style, {
    top: `${top + scrollY}px`, left: start, width: `${width}px`, maxWidth: `calc(100% - ${start})`,
  });
  document.getElementById("ghosts").append(node);
  node.animate({ opacity: [1, 0] }, timing).onfinish = () => node.remove();
}
