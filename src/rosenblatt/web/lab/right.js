// Which points a run gets wrong. A score that is tied is right only where ties go to the point's class.

// Under some weights of a line.
export function wrongRows(course, weights) {
  const scores = new Float64Array(course.vectors);
  return course.rows.flatMap((row, i) => {
    scores.fill(0);
    for (let c = 0; c < course.vectors; c++)
      for (let j = 0; j < row.length; j++) scores[c] += weights[c * course.width + j] * row[j];
    return isRight(course, scores, course.truth[i]) ? [] : [i];
  });
}

// After so many updates.
export function wrongAfter(course, count) {
  if (!course.kernel) return wrongRows(course, course.weightsAfterUpdates(count));
  const [all, n] = [course.scoresAfter(count), course.rows.length];
  return course.rows.flatMap((_, i) => {
    const scores = Array.from({ length: course.vectors }, (_, v) => all[v * n + i]);
    return isRight(course, scores, course.truth[i]) ? [] : [i];
  });
}

function isRight({ vectors, ties }, scores, truth) {
  if (vectors > 1) return scores.every((score, c) => c === truth || score < scores[truth]);
  if (scores[0] === 0) return truth === { positive: 1, negative: 0 }[ties];
  return scores[0] > 0 === (truth === 1);
}
