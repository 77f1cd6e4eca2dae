// Which points some weights of a run get wrong. A score that is tied is right only where ties go to the point's class.

export function wrongRows(course, weights) {
  const scores = new Float64Array(course.vectors);
  const wrong = [];
  course.rows.forEach((row, i) => {
    scores.fill(0);
    for (let c = 0; c < course.vectors; c++)
      for (let j = 0; j < row.length; j++) scores[c] += weights[c * course.width + j] * row[j];
    if (!isRight(course, scores, course.truth[i])) wrong.push(i);
  });
  return wrong;
}

function isRight({ vectors, ties }, scores, truth) {
  if (vectors > 1) return scores.every((score, c) => c === truth || score < scores[truth]);
  if (scores[0] === 0) return truth === { positive: 1, negative: 0 }[ties];
  return scores[0] > 0 === (truth === 1);
}
