// The ground of a picture in space: the plane of the points in its own proportions, with the same ticks, and an upright
// axis for heights.

import { commonStep, ticks } from "../frame.js";
import { numeral } from "./draw.js";

const [WIDE, DEEP] = [2, 1.5];
const OUT = { number: 0.1, name: 0.27 }; // how far beside the ground

// From features to the ground; `box` is what is to be seen, [low, high] of both.
export function groundOf(frame, box) {
  const long = box.map(([low, high], k) => (high - low) * frame.scale[k]);
  const unit = Math.min(WIDE / long[0], DEEP / long[1]);
  return (x, y) => [x, y].map((value, k) => (value - (box[k][0] + box[k][1]) / 2) * frame.scale[k] * unit);
}

// A line for each tick, its number at the edge that is in front at first, and the names of the features.
export function axes({ features }, frame, box, ground, height = 0) {
  const [[left, right], [near, far]] = box;
  const step = commonStep(frame);
  const at = (x, y, outX = 0, outY = 0) => {
    const [a, b] = ground(x, y);
    return [a + outX, b + outY, height];
  };
  const line = (...ends) => ({ line: ends, name: "tick3" });
  const of = ([low, high]) => ticks({ low, high, span: high - low }, step);
  return [
    ...of(box[0]).flatMap((x) => [
      line(at(x, near), at(x, far)),
      { text: numeral(x), at: at(x, near, 0, -OUT.number), name: "number3" },
    ]),
    ...of(box[1]).flatMap((y) => [
      line(at(left, y), at(right, y)),
      { text: numeral(y), at: at(right, y, OUT.number), name: "number3" },
    ]),
    { text: features[0], at: at((left + right) / 2, near, 0, -OUT.name) },
    { text: features[1], at: at(right, (near + far) / 2, OUT.name) },
  ];
}

// An upright axis over a place of the ground, with numbers: `rise` makes a height of the picture from a value.
export function heights([x, y], rise, values, name) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const beside = -OUT.number;
  return [
    { line: [low, high].map((value) => [x, y, rise(value)]), name: "edge3" },
    ...values.flatMap((value) => [
      { line: [0, beside / 4].map((out) => [x + out, y, rise(value)]), name: "edge3" },
      { text: numeral(value), at: [x + beside, y, rise(value)], name: "number3" },
    ]),
    { text: name, at: [x, y, rise(high) + 0.1] },
  ];
}
