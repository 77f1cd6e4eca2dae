// Asks whether the points can be separated, once they have stopped changing; whoever shows it hears "proof".

export function askForProofs(lab) {
  const { state } = lab;
  let busy = false;
  const ask = async () => {
    if (busy || !state.course || state.outdated || state.proof) return;
    const { course } = state;
    busy = true;
    let found;
    try {
      found = await lab.call("proof", course.question);
    } catch (problem) {
      found = { kind: "unknown", words: problem.message };
    }
    busy = false;
    if (state.course === course && !state.outdated) state.setProof(found);
    else ask();
  };
  state.on("settled", ask);
}
