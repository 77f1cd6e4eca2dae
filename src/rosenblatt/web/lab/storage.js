// What a tab keeps over a reload, and what the browser keeps for another day. Where a browser refuses that (a frame of
// another site, some files), it is kept until the page is left.

const held = new Map();
const STORES = { tab: () => sessionStorage, browser: () => localStorage };

export function kept(name, store = "tab") {
  try {
    return STORES[store]().getItem(name) ?? held.get(name) ?? null;
  } catch {
    return held.get(name) ?? null;
  }
}

// null forgets it.
export function keep(name, value, store = "tab") {
  held.delete(name);
  try {
    if (value === null) STORES[store]().removeItem(name);
    else STORES[store]().setItem(name, value);
  } catch {
    if (value !== null) held.set(name, value);
  }
}
