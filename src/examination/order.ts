import type { Finding, FindingLevel } from '../domain/examination.ts'

const ranks: Readonly<Record<FindingLevel, number>> = { wrong: 0, note: 1, ok: 2 }

/** What is wrong first, then notes; else in the order of the examination. */
export function byLevel(findings: readonly Finding[]): readonly Finding[] {
  return findings.toSorted((one, other) => ranks[one.level] - ranks[other.level])
}

/** Where two findings ask for the same setting the later one refers to the first. */
export function withEachSettingOnce(findings: readonly Finding[]): readonly Finding[] {
  return findings.map((finding, index) => {
    const first = findings.find(({ set }) => set !== null && set === finding.set)
    if (!first || findings.indexOf(first) === index) return finding
    return { ...finding, means: `${finding.means} What ${first.check} sets mends it.`, set: null }
  })
}
