// Numbers, vectors and sums as the notes write them: [-1, 0, 0] and -1·1 + 0·3 + 0·2 = -1.

export const MOST_SHOWN = 12; // numbers of a vector, terms of a sum
const DIGITS = 6;
const EXACT = 60; // more digits than a number of the plane has

// A whole number without a point, any other with at most six digits.
export function numeral(value) {
  if (Number.isInteger(value) && Math.abs(value) < 2 ** 53) return String(value + 0);
  return general(value);
}

// At most so many digits and no zeros at the end, as Python's format "g".
export function general(value, digits = DIGITS) {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "nan" : value < 0 ? "-inf" : "inf";
  const [mantissa, power] = toEven(value, digits).split("e");
  const exponent = Number(power);
  if (exponent < -4 || exponent >= digits) {
    return `${short(mantissa)}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
  }
  const sign = mantissa.startsWith("-") ? "-" : "";
  const figures = mantissa.replace(/[-.]/g, "");
  if (exponent < 0) return short(`${sign}0.${"0".repeat(-exponent - 1)}${figures}`);
  return short(`${sign}${figures.slice(0, exponent + 1)}.${figures.slice(exponent + 1)}`);
}

const short = (text) => (text.includes(".") ? text.replace(/\.?0*$/, "") : text);

// A browser rounds what lies half way between two decimals up, Python to the even one. Multiples of 1/64 often do.
function toEven(value, digits) {
  const rounded = value.toExponential(digits - 1);
  const [mantissa, power] = rounded.split("e");
  const last = mantissa.length - 1;
  if (mantissa.charCodeAt(last) % 2 === 0 || !isHalfWay(Math.abs(value), digits, Number(power))) return rounded;
  return `${mantissa.slice(0, last)}${Number(mantissa[last]) - 1}e${power}`;
}

function isHalfWay(size, digits, power) {
  const about = (size / 10 ** (power - digits + 1)) % 1;
  if (Math.abs(about - 0.5) > 1e-3) return false;
  const figures = size.toExponential(EXACT).split("e")[0].replace(".", "");
  return /^50*$/.test(figures.slice(digits));
}

// 12,345
export function thousands(count) {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

export function vector(values) {
  const shown = Array.from(values.slice(0, MOST_SHOWN), numeral);
  if (values.length > MOST_SHOWN) shown.push(`… ${values.length - MOST_SHOWN} more`);
  return `[${shown.join(", ")}]`;
}

// The score as a sum of products; a negative weight keeps its sign after the plus: -23·1 + 8·1 + -2·1 = -17.
export function expanded(weights, features, score) {
  const terms = Array.from(weights.slice(0, MOST_SHOWN), (w, j) => `${numeral(w)}·${numeral(features[j])}`);
  if (weights.length > MOST_SHOWN) terms.push("…");
  return `${terms.join(" + ")} = ${numeral(score)}`;
}

// What is added to the weights: +[1, 3, 2] or -[1, 2, 3], with a factor unless it is 1.
export function change(amount, features) {
  const size = Math.abs(amount) === 1 ? "" : `${numeral(Math.abs(amount))}·`;
  return `${amount > 0 ? "+" : "-"}${size}${vector(features)}`;
}
