import type { Examination } from '../domain/examination.ts'

/** Returns the recommended settings: lines of `.env`, and members of the company in `COMPANIES_FILE`. */
export function adviceOf({ findings }: Examination): {
  readonly lines: readonly string[]
  readonly members: readonly string[]
} {
  const advised = findings.flatMap(({ set }) => set ?? [])
  // A member of COMPANIES_FILE begins with the quote of its name.
  const { members = [], lines = [] } = Object.groupBy(advised, (set) =>
    set.startsWith('"') ? 'members' : 'lines',
  )
  return { members, lines: lines.map(environmentLine) }
}

/** Node's `.env` format needs quotes around a value that begins with a quote or could contain a comment. */
export function environmentLine(line: string): string {
  const equals = line.indexOf('=') + 1
  const [name, value] = [line.slice(0, equals), line.slice(equals)]
  if (!/#|^['"`\s]|\s$/.test(value)) return line
  const quote = ["'", '`', '"'].find((mark) => !value.includes(mark)) ?? "'"
  return name + quote + value + quote
}
