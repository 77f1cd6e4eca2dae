// What a tab keeps over a reload. Where a browser refuses that (a frame of another site, some files), it is kept until then.

const held = new Map();

export function kept(name) {
  try {
    return sessionStorage.getItem(name) ?? held.get(name) ?? null;
  } catch {
    return held.get(name) ?? null;
  }
}

// null forgets it.
export function keep(name, value) {
  held.delete(name);
  try {
    if (value === null) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, value);
  } catch {
    if (value !== null) held.set(name, value);
  }
}
