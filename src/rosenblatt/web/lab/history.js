// Undo and redo: states that were left, and those that were undone. States are never changed in place, so a state is
// kept by keeping it.

const MOST_KEPT = 200;

export class History {
  constructor() {
    this.past = [];
    this.future = [];
  }

  // A new state is about to take the place of this one.
  leave(state) {
    this.past.push(state);
    if (this.past.length > MOST_KEPT) this.past.shift();
    this.future = [];
  }

  undo(state) {
    if (!this.past.length) return null;
    this.future.push(state);
    return this.past.pop();
  }

  redo(state) {
    if (!this.future.length) return null;
    this.past.push(state);
    return this.future.pop();
  }
}
