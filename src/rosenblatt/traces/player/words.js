// Numbers and sums as the notes write them, and each step in one sentence.

export const MOST_SHOWN = 12; // numbers of a vector, terms of a sum

// A whole number without a point, any other with at most six digits; the same as traces/numerals.py, but that what lies
// exactly half way between two of them goes up here and to the even one there.
export function numeral(value) {
  if (Number.isInteger(value) && Math.abs(value) < 2 ** 53) return String(value === 0 ? 0 : value);
  const [digits, power] = value.toExponential(5).split("e");
  const exponent = Number(power);
  const short = (text) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
  if (exponent >= -4 && exponent < 6) return short(value.toFixed(5 - exponent));
  const size = String(Math.abs(exponent)).padStart(2, "0");
  return `${short(digits)}e${exponent < 0 ? "-" : "+"}${size}`;
}

export function vector(values) {
  const shown = Array.from(values.slice(0, MOST_SHOWN), numeral);
  if (values.length > MOST_SHOWN) shown.push(`… ${values.length - MOST_SHOWN} more`);
  return `[${shown.join(", ")}]`;
}

const MOST_WEIGHTS = 24; // of all classes together; beyond, only the rows that an update would change

export function weightsText(run, weights, moment) {
  const all = weights.length <= MOST_WEIGHTS || run.vectors === 1;
  if (all) return Array.from({ length: run.vectors }, (_, c) => vector(run.vector(weights, c))).join("; ");
  if (moment.step === 0) return "";
  const rows = moment.rival < 0 ? [moment.truth] : [moment.truth, moment.rival];
  return rows.map((c) => `${run.classes[c]}: ${vector(run.vector(weights, c))}`).join("; ");
}

export function expanded(weights, features, score) {
  const terms = Array.from(weights.slice(0, MOST_SHOWN), (w, j) => `${numeral(w)}·${numeral(features[j])}`);
  if (weights.length > MOST_SHOWN) terms.push("…");
  return `${terms.join(" + ")} = ${numeral(score)}`;
}

export function arithmetic(run, moment) {
  if (run.vectors === 1) return expanded(moment.before, moment.features, moment.scores[0]);
  return Array.from(moment.scores, numeral).join("; ");
}

export function update(run, moment) {
  if (moment.rival < 0) return "none";
  const f = `${run.rate === 1 ? "" : `${numeral(run.rate)}·`}${vector(moment.features)}`;
  if (run.vectors === 1) return `${moment.truth === 1 ? "+" : "-"}${f}`;
  return `${run.classes[moment.truth]} +${f}, ${run.classes[moment.rival]} -${f}`;
}

// "Row 5 at (2, 3)": rows count from 1 for people, as steps and passes do.
function place(run, moment) {
  const given = run.bias ? moment.features.slice(1) : moment.features;
  const at = given.length <= 4 ? ` at (${given.map(numeral).join(", ")})` : "";
  return `Row ${moment.row + 1}${at}`;
}

export function sentence(run, moment) {
  if (moment.step === 0) {
    const zero = moment.after.every((w) => w === 0);
    return zero ? "The run starts with all weights at 0." : "The run starts with the weights that were given.";
  }
  const name = run.classes[moment.truth];
  const row = place(run, moment);
  if (run.vectors === 1) return twoClasses(row, name, run, moment);
  const own = numeral(moment.scores[moment.truth]);
  if (moment.rival < 0) return `${row} is ${name} and ${name} scores highest with ${own}: right, so nothing changes.`;
  const rival = run.classes[moment.rival];
  const other = numeral(moment.scores[moment.rival]);
  if (moment.scores[moment.truth] > moment.scores[moment.rival]) {
    return `${row} is ${name} and ${name} scores highest with ${own}, but ${rival} comes within the margin with ${other}: `
      + `add its features to the weights of ${name}, take them from ${rival}.`;
  }
  const how = own === other ? `${rival} scores ${other} as well` : `${rival} scores ${other} against ${own}`;
  return `${row} is ${name}, but ${how}: add its features to the weights of ${name}, take them from ${rival}.`;
}

function twoClasses(row, name, run, moment) {
  const score = moment.scores[0];
  if (moment.rival < 0) return `${row} is ${name} and its score is ${numeral(score)}: right, so nothing changes.`;
  const verb = moment.truth === 1 ? "Add" : "Subtract";
  if (score === 0) return `${row} is ${name} and its score is exactly 0, which counts as a mistake. ${verb} its features.`;
  if (score > 0 === (moment.truth === 1)) {
    return `${row} is ${name} and its score of ${numeral(score)} is right, but within the margin of ${numeral(run.margin)}. `
      + `${verb} its features.`;
  }
  return `${row} is ${name}, but its score is ${numeral(score)}. ${verb} its features.`;
}

// Degrees between weights and row; a dash at length 0, where there is none.
export function angle(weights, features) {
  let product = 0;
  let ww = 0;
  let ff = 0;
  for (let j = 0; j < features.length; j++) {
    product += weights[j] * features[j];
    ww += weights[j] ** 2;
    ff += features[j] ** 2;
  }
  if (!ww || !ff) return "—";
  const cosine = product / Math.sqrt(ww) / Math.sqrt(ff);
  return `${((Math.acos(Math.min(1, Math.max(-1, cosine))) * 180) / Math.PI).toFixed(1)}°`;
}
