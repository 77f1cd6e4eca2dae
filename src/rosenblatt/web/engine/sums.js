// In which order the score of a row is added up, for each way of storing it: reference/scores.py.

const [PARTS, LANES] = [4, 8];

export const SUMS = {
  dense({ columns, values }, weights) {
    const lanes = new Float64Array(LANES);
    columns.forEach((column, k) => {
      lanes[column % LANES] += weights[column] * values[k];
    });
    for (let half = LANES / 2; half >= 1; half /= 2) for (let k = 0; k < half; k++) lanes[k] += lanes[k + half];
    return lanes[0];
  },
  sparse({ columns, values }, weights) {
    return inParts(columns.length, (k) => weights[columns[k]] * values[k]);
  },
  words({ columns, values }, weights) {
    return inParts(columns.length, (k) => weights[columns[k]]) * (values && values.length ? values[0] : 1);
  },
};

// Four sums in turn; what is left over goes to the first.
function inParts(size, term) {
  const parts = new Float64Array(PARTS);
  const whole = size - (size % PARTS);
  for (let k = 0; k < size; k++) parts[k < whole ? k % PARTS : 0] += term(k);
  return parts[0] + parts[1] + (parts[2] + parts[3]);
}
