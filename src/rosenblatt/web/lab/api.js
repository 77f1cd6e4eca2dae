// How the page asks for something: what it can do by itself it does (engine/calls.js); the rest is asked of the server, if
// there is one. The token comes with the address once and stays in this tab.

import { Lacking, setBuiltin } from "../engine/builtin.js";
import { LOCAL, SERVED } from "../engine/calls.js";
import { Problem } from "../engine/problem.js";
import { keep, kept } from "./storage.js";

const TOKEN = "rosenblatt-token";
const SESSION = "rosenblatt-session";
const NEEDS = "This needs Python: run `rosenblatt lab` on your computer, and the same page can do it.";

// Whether this page came from `rosenblatt lab`; one that was exported has no server.
export function isServed() {
  return document.documentElement.dataset.server !== undefined;
}

// Takes the token out of the visible address, so that it is in no bookmark and no copied link.
// True if there is a token; otherwise the page can only say where to find one.
export function takeToken() {
  const address = new URL(location.href);
  const token = address.searchParams.get("token");
  if (token) {
    if (kept(TOKEN) !== token) keep(SESSION, null); // another server
    keep(TOKEN, token);
    address.searchParams.delete("token");
    history.replaceState(history.state, "", address);
  }
  return kept(TOKEN) !== null;
}

// Asks: `body` is an object, or for calls that take a file anything that fetch sends as it is. `query` are the words
// after the question mark; `signal` ends the wait.
export async function call(name, body = {}, more = {}) {
  try {
    if (name in LOCAL) return await LOCAL[name](body);
  } catch (problem) {
    if (problem instanceof Lacking) {
      await findBuiltin();
      return call(name, body, more);
    }
    if (problem.status !== 501 || !isServed()) throw problem;
  }
  const answer = await askServer(name, body, more);
  return SERVED[name]?.(body, answer) ?? answer;
}

// The built-in data: an exported page holds it, a server gives it.
async function findBuiltin() {
  const own = document.getElementById("builtin");
  setBuiltin(own ? JSON.parse(own.textContent) : await askServer("builtin", {}, {}));
}

async function askServer(name, body, { query = {}, signal }) {
  if (!isServed()) throw new Problem(NEEDS, 501);
  if (!kept(SESSION)) await openSession();
  try {
    return await ask(name, body, query, signal);
  } catch (problem) {
    if (problem.status !== 410) throw problem;
    await openSession(); // the former one was not used for long, or the server forgot it
    return ask(name, body, query, signal);
  }
}

let opening = null;

function openSession() {
  opening ??= ask("session", {}, {})
    .then((found) => keep(SESSION, found.session))
    .finally(() => (opening = null));
  return opening;
}

async function ask(name, body, query, signal) {
  const words = new URLSearchParams(query).toString();
  const raw = body instanceof Blob || body instanceof ArrayBuffer || typeof body === "string";
  const headers = { "X-Rosenblatt-Token": kept(TOKEN) ?? "" };
  const session = kept(SESSION);
  if (session) headers["X-Rosenblatt-Session"] = session;
  headers["Content-Type"] = raw ? "application/octet-stream" : "application/json";
  const sent = { method: "POST", headers, body: raw ? body : JSON.stringify(body), signal };
  const answer = await reach(`/api/${name}${words && "?"}${words}`, sent);
  let found;
  try {
    found = await answer.json();
  } catch {
    throw new Problem(`The lab gave an answer that cannot be read (${answer.status}).`, answer.status);
  }
  if (!answer.ok) throw new Problem(found.error ?? `The lab answered ${answer.status}.`, answer.status);
  return found;
}

// The server closes idle connections, perhaps in the very moment in which one is used again. Every call gives the same
// when it is made twice, so a second try does no harm.
async function reach(address, sent, tries = 2) {
  try {
    return await fetch(address, sent);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    if (tries > 1) return reach(address, sent, tries - 1);
    throw new Problem("The lab does not answer. Is `rosenblatt lab` still running in its terminal?", 0);
  }
}
