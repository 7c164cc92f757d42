// Requests of this page. Each carries the page's id, as every page has a search and a list of its own.

const id = crypto.randomUUID();
export const withPage = (path) => `${path}${path.includes("?") ? "&" : "?"}page=${id}`;

/** Asks for a text; `null` if there is none. */
export async function ask(path) {
  const answer = await fetch(withPage(path)).catch(() => null);
  return answer?.ok ? answer.text() : null;
}

/** Presses a button. The result arrives as an event, and a lost connection shows in the status. */
export const post = (path) => fetch(withPage(path), { method: "POST" }).catch(() => {});
