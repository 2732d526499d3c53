/** Says how far a long run has come: "Checked 1280 of 10000". */
export type Progress = (done: string, count: number, total: number) => void

/** The line that says so. */
export interface ProgressLine {
  readonly show: Progress
  /** Takes it off the terminal, so that something else can be written there; the next one stands below that. */
  readonly clear: () => void
}

interface Terminal {
  readonly isTerminal: boolean
  readonly write: (text: string) => void
}

/** Fewer than these are done before anyone asks. */
const totalMin = 100
const eraseLine = '\r\u001B[K'

/** One line that is written over on a terminal, one line per tenth of the way elsewhere; nothing for few. */
export function createProgress({ isTerminal, write }: Terminal): ProgressLine {
  let tenths = new Map<string, number>()
  let isShown = false
  return {
    show: (done, count, total) => {
      if (total < totalMin) return
      const text = `${done} ${count} of ${total}`
      if (isTerminal) {
        isShown = count < total
        return write(`${eraseLine}${text}${isShown ? '' : '\n'}`)
      }
      const tenth = Math.floor((10 * count) / total)
      if (tenths.get(done) === tenth) return
      tenths = new Map([...tenths, [done, tenth]])
      write(`${text}\n`)
    },
    clear: () => {
      if (isShown) write(eraseLine)
      isShown = false
    },
  }
}
