/** Says how far a long run has come: "Checked 1280 of 10000". */
export type Progress = (done: string, count: number, total: number) => void

interface Terminal {
  readonly isTerminal: boolean
  readonly write: (text: string) => void
}

/** Fewer than these are done before anyone asks. */
const totalMin = 100

/** One line that is written over on a terminal, one line per tenth of the way elsewhere; nothing for few. */
export function createProgress({ isTerminal, write }: Terminal): Progress {
  let tenths = new Map<string, number>()
  return (done, count, total) => {
    if (total < totalMin) return
    const text = `${done} ${count} of ${total}`
    if (isTerminal) return write(`\r${text}\u001B[K${count === total ? '\n' : ''}`)
    const tenth = Math.floor((10 * count) / total)
    if (tenths.get(done) === tenth) return
    tenths = new Map([...tenths, [done, tenth]])
    write(`${text}\n`)
  }
}
