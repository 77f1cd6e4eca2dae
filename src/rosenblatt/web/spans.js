// A text with its spans marked in place, for every page: a line below what speaks for a class, solid, or against it, dotted;
// thicker is stronger. Spans that overlap are stacked, the shorter nearer to the text, so that every one can be seen.

import { html } from "./elements.js";

const MOST_TIERS = 8; // lines below the text; further ones share the last

// The nodes of the text and how many lines are below it. A span is {start, end, sign, level, short, title, flips}: its places,
// −1, 0 or 1, a strength from 0 to 4, a number to stand above it, words for those who point at it, and whether it is framed.
export function markText(text, spans) {
  const tiers = stacked(spans);
  const cuts = new Set([0, text.length]);
  for (const { start, end } of spans) cuts.add(start).add(end);
  for (const [{ start, end }, tier] of spans.map((span, k) => [span, tiers[k]])) {
    if (tier) for (const { index } of text.slice(start, end).matchAll(/\s+|\S+/g)) cuts.add(start + index);
  }
  const places = [...cuts].sort((a, b) => a - b);
  const byStart = spans.map((_, k) => k).sort((a, b) => spans[a].start - spans[b].start);
  const nodes = [];
  let [next, open] = [0, []];
  for (let k = 0; k + 1 < places.length; k++) {
    const [from, to] = [places[k], places[k + 1]];
    while (next < byStart.length && spans[byStart[next]].start <= from) open.push(byStart[next++]);
    open = open.filter((number) => spans[number].end > from);
    const here = open.map((number) => [spans[number], tiers[number]]);
    nodes.push(here.length ? piece(text.slice(from, to), here, from) : text.slice(from, to));
  }
  return { nodes, tiers: tiers.reduce((most, tier) => Math.max(most, Math.min(tier + 1, MOST_TIERS)), 0) };
}

// The line of each span: the first, from the text on, in which it meets no other; shorter ones choose first.
function stacked(spans) {
  const order = spans.map((_, k) => k);
  order.sort(
    (a, b) => spans[a].end - spans[a].start - (spans[b].end - spans[b].start) || spans[a].start - spans[b].start,
  );
  const size = spans.reduce((most, { end }) => Math.max(most, end), 0);
  const [tiers, taken] = [[], []];
  for (const k of order) {
    const { start, end } = spans[k];
    let tier = taken.findIndex((line) => !line.subarray(start, end).some(Boolean));
    if (tier < 0) tier = taken.push(new Uint8Array(size)) - 1;
    taken[tier].fill(1, start, end);
    tiers[k] = tier;
  }
  return tiers;
}

const side = ({ sign }) => (sign > 0 ? "for" : sign < 0 ? "against" : "none");

// A piece of the text that the same spans cover; a number stands above where its span begins.
function piece(text, here, from) {
  const first = here.find(([, tier]) => tier === 0)?.[0];
  const title = here.map(([span]) => span.title).filter(Boolean);
  const name = first ? `word ${side(first)} s${first.level}${first.flips ? " flips" : ""}` : "piece";
  const below = here.filter(([, tier]) => tier > 0);
  const marked = html("span", { class: below.length ? `${name} over` : name, title: title.join(" · ") || null }, text);
  for (const [span, tier] of below) {
    marked.append(html("i", { class: `below t${Math.min(tier, MOST_TIERS - 1)} ${side(span)} s${span.level}` }));
  }
  const above = first?.short && first.start === from ? first.short : "";
  return above ? html("ruby", {}, marked, html("rt", {}, above)) : marked;
}
