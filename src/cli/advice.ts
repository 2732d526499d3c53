import type { Examination } from '../domain/examination.ts'

/** What an examination advises to set: lines of `.env`, and members of the company in `COMPANIES_FILE`. */
export interface Advice {
  readonly companyId: string
  readonly lines: readonly string[]
  readonly members: readonly string[]
}

/** Each setting once, in the order of the findings. */
export function adviceOf({ companyId, findings }: Examination): Advice {
  const all = findings.flatMap(({ set }) => set ?? [])
  return {
    companyId,
    lines: all.filter((set) => !isMember(set)).map(quoted),
    members: all.filter(isMember),
  }
}

/** Of `COMPANIES_FILE`, as against a line of the environment. */
function isMember(set: string): boolean {
  return set.startsWith('"')
}

/** As `.env` is read by Node: a value in which a comment could begin, or that begins with a quote, stands in quotes. */
function quoted(line: string): string {
  const equals = line.indexOf('=') + 1
  const [name, value] = [line.slice(0, equals), line.slice(equals)]
  if (!/#|^['"`\s]|\s$/.test(value)) return line
  const quote = ["'", '`', '"'].find((mark) => !value.includes(mark)) ?? "'"
  return name + quote + value + quote
}
