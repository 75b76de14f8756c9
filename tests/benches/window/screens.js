// Asks the register what screens ask, each question `times` times one after the other, and notes what one
// took, in milliseconds. The clock of a page is coarse, so that many together are timed.
const [questions, times] = arguments;
const invoke = window.__TAURI_INTERNALS__.invoke;
const answers = { took: {}, refused: null, ended: false };
window.tillrollAnswers = answers;

async function askAll() {
  for (const [name, command, args] of questions) {
    const begun = performance.now();
    for (let nth = 0; nth < times; nth += 1) await invoke(command, args);
    answers.took[name] = (performance.now() - begun) / times;
  }
}

askAll()
  .catch((refusal) => {
    answers.refused = JSON.stringify(refusal);
  })
  .finally(() => {
    answers.ended = true;
  });
