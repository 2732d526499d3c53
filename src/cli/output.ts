/* Output of commands: lines, tables, JSON and progress. */
import type { CommandContext, Progress } from './context.ts'

/** Prints a file unchanged; the file ends with its own line break. */
export function printText({ print }: CommandContext, text: string): void {
  print(text.replace(/\n$/, ''), 'file')
}

/** Prints JSON as the API returns it. */
export function printJson({ print }: CommandContext, value: object): void {
  print(JSON.stringify(value, null, 2))
}

export function printWarnings({ warn }: CommandContext, warnings: readonly string[]): void {
  for (const warning of warnings) warn(`Warning: ${warning}`)
}

/** Returns "1 feed", "2 feeds". */
export function counted(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`}`
}

/** Created on first use: it takes ten milliseconds, which help and versions do not need. */
let graphemes: Intl.Segmenter | undefined

/** Returns a table for people; each column is as wide as its widest cell, in graphemes. */
export function textTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const segmenter = (graphemes ??= new Intl.Segmenter())
  const widthOf = (text = ''): number => [...segmenter.segment(text)].length
  const lines = [header, ...rows]
  const widths = header.map((_, column) => Math.max(...lines.map((line) => widthOf(line[column]))))
  return lines
    .map((line) =>
      widths
        .map((width, column) => (line[column] ?? '') + ' '.repeat(width - widthOf(line[column])))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Returns an instant of the API to the minute, in UTC; a dash for null. */
export function shortTime(instant: string | null): string {
  return instant === null ? '–' : `${instant.slice(0, 10)} ${instant.slice(11, 16)}`
}

/** Shorter runs need no progress. */
const progressTotalMin = 100
const eraseLine = '\r\u001B[K'

/**
 * On a terminal, overwrites one line; elsewhere, writes one line per tenth. `clear` removes the line from the terminal, to
 * make room for other output.
 */
export function createProgress(
  isTerminal: boolean,
  write: (text: string) => void,
): { readonly show: Progress; readonly clear: () => void } {
  const tenths = new Map<string, number>()
  let isShown = false
  return {
    show: (done, count, total) => {
      if (total < progressTotalMin) return
      const text = `${done} ${count} of ${total}`
      if (isTerminal) {
        isShown = count < total
        return write(`${eraseLine}${text}${isShown ? '' : '\n'}`)
      }
      const tenth = Math.floor((10 * count) / total)
      if (tenths.get(done) === tenth) return
      tenths.set(done, tenth)
      write(`${text}\n`)
    },
    clear: () => {
      if (isShown) write(eraseLine)
      isShown = false
    },
  }
}
