// The stream of the page's rows and state.
//
// A browser has six connections to a server, and each stream takes one. A page that is out of sight lets go of its
// stream after a while, so that other pages can open.

import { withPage } from "./post.js";

const patience = 5000;
const handlers = {};
let stream = null;
let timer = null;
let path = null;

/** Handles the data of an event. */
export const on = (event, handle) => { handlers[event] = handle; };

/** Opens the stream, once all handlers are there; its path may change from one opening to the next. */
export function connect(currentPath) {
  path = currentPath;
  open();
  document.addEventListener("visibilitychange", watchSight);
  watchSight();
}

function open() {
  stream = new EventSource(withPage(path()));
  for (const [event, handle] of Object.entries(handlers)) {
    stream.addEventListener(event, ({ data }) => handle(data));
  }
}

function watchSight() {
  clearTimeout(timer);
  if (document.hidden) timer = setTimeout(close, patience);
  else if (!stream) open();
}

function close() {
  stream.close();
  stream = null;
}
