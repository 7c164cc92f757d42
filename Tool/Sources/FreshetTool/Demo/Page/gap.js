// Gaps in the list: places where rows may be missing.

import { setText } from "./words.js";

/** Shows how a gap stands. */
export function renderGap(gap, states) {
  const [text, ...buttons] = gap.children;
  const load = states[gap.dataset.gap]?.load ?? "idle";
  gap.ariaBusy = load === "loading";
  for (const button of buttons) button.ariaDisabled = load === "loading";
  setText(text, {
    idle: `Rows may be missing${span(gap)}`, loading: "Loading…",
    failed: "These rows could not be loaded", retrying: "Not loaded yet. Trying again…", end: "Nothing is missing here",
  }[load]);
}

/** Between which days a gap is. */
function span(gap) {
  const day = (node, way) => {
    while (node && !node.querySelector("time")) node = node[way];
    return node && new Date(node.querySelector("time").dateTime).toLocaleDateString(
      "en-GB", { day: "numeric", month: "long", timeZone: "UTC" });
  };
  const newer = day(gap.previousElementSibling, "previousElementSibling");
  const older = day(gap.nextElementSibling, "nextElementSibling");
  if (!newer || !older) return " here";
  return older === newer ? ` on ${older}` : ` from ${older} to ${newer}`;
}
