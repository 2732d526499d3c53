/** Told how far something has come: what is done, how much of it, and of how much. */
export type Progress = (done: string, count: number, total: number) => void

/** For fewer nobody asks how far it has come. */
const totalMin = 10_000
/** So many are done between two times that it is told. */
const stride = 500

/** To be called for each of so many: it tells of every some. */
export function counting(progress: Progress, done: string, total: number): () => void {
  let count = 0
  return () => {
    count += 1
    const isTold = total >= totalMin && (count % stride === 0 || count === total)
    if (isTold) progress(done, count, total)
  }
}

/** The same steps; it is told what each of them gives. */
export function* toldSteps<Step, T>(
  steps: Generator<Step, T>,
  onStep: (step: Step) => void,
): Generator<Step, T> {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    onStep(step.value)
    yield step.value
  }
}
