// The fewest words without which a message would be of another class: exact, not a guess.
//
// Let the message hold m known words, each present or not, and let its text be scaled to unit length. The predicted class
// leads another by
//
//     lead = b + S / sqrt(m),     S = the sum of d_j over the m words,
//
// where d_j is what a word's weight says for the predicted class and b, what the bias says for it, is not scaled. With no
// word left the lead is b. Take out a set R of r words: lead(R) = b + (S − sum of d_j over R) / sqrt(m − r). For a fixed r
// the root is the same whatever R is, so the lead is lowest where R are the r words of the largest d_j. If that set does
// not make the other class win, no set of r words does. So the sizes r = 1, 2, ... are tried in order, each with its best
// set, and the first that wins is the fewest. Every size is tried, for none answers for another: as r grows the root
// shrinks, and what is left of the message counts more against b. With several classes each of the others is tried, and
// the fewest of all is taken.

const ROUNDING = 1e-9; // leads closer to 0 than this part of their terms are for the model to decide

// {places, becomes}: the words to leave out and the class that wins without them; null where there are no such words.
// `lines` holds for each class the weight of every word of the message, and the bias last; `says` tells the class that the
// model decides for without some of the words, by their places: it has the last word.
export function fewest(lines, predicted, says) {
  let found = null;
  lines.forEach((line, other) => {
    if (other === predicted) return;
    const leads = lines[predicted].map((weight, k) => weight - line[k]);
    found = against(leads, predicted, found ? found.places.length - 1 : leads.length - 1, says) ?? found;
  });
  return found;
}

// The smallest set of at most `most` words after which the class of these leads is not ahead any more.
function against(all, predicted, most, says) {
  const [leads, bias] = [all.slice(0, -1), all.at(-1)];
  const order = Array.from(leads.keys()).sort((a, b) => leads[b] - leads[a]);
  const size = all.reduce((sum, lead) => sum + Math.abs(lead), 1);
  let rest = leads.reduce((sum, lead) => sum + lead, 0);
  for (let gone = 1; gone <= most; gone++) {
    rest -= leads[order[gone - 1]];
    const lead = bias + rest / Math.sqrt(Math.max(order.length - gone, 1)); // with no word left `rest` is 0
    const places = order.slice(0, gone);
    const becomes = lead <= ROUNDING * size ? says(places) : predicted;
    if (becomes !== predicted) return { places, becomes };
  }
  return null;
}
