/** Made when it is first needed: that takes ten milliseconds, which help and versions can do without. */
let graphemes: Intl.Segmenter | undefined

/** Columns for people, each as wide as its widest cell. */
export function textTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header, ...rows]
  const widths = header.map((_, column) =>
    Math.max(...lines.map((cells) => widthOf(cells[column] ?? ''))),
  )
  return lines
    .map((cells) => widths.map((width, column) => padded(cells[column] ?? '', width)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n')
}

/** An instant of the API to the minute, in UTC; a dash for none. */
export function shortTime(instant: string | null): string {
  return instant === null ? '–' : `${instant.slice(0, 10)} ${instant.slice(11, 16)}`
}

function padded(cell: string, width: number): string {
  return cell + ' '.repeat(width - widthOf(cell))
}

/** In graphemes, each of which nearly all terminals give one column. */
function widthOf(text: string): number {
  graphemes ??= new Intl.Segmenter()
  return [...graphemes.segment(text)].length
}
