// What is wrong, in one line for a person, and the status that a server gives for it: 400 what was given cannot be used,
// 501 this is more than a page can do by itself, 0 there was no answer.

export class Problem extends Error {
  constructor(message, status = 400) {
    super(message);
    this.name = "Problem";
    this.status = status;
  }
}
