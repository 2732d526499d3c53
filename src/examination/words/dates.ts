import type { Company } from '../../domain/company.ts'
import { type Finding, type FindingLevel, findingOf } from '../../domain/examination.ts'
import type { DatesVerdict } from '../verdicts/dates.ts'
import { counted } from './counted.ts'
import type { Advise } from './setting-advice.ts'

/** Says at which midnight days stand and, where that is one of another zone, of which. */
export function sayDates(
  verdict: DatesVerdict,
  { timezone }: Company,
  advise: Advise,
): readonly Finding[] {
  const { ok, dates } = verdict
  const finding = findingOf({
    check: 'dates',
    level: levelOf(verdict),
    seen: seenOf(verdict, timezone),
    means: meansOf(verdict),
    set: ok ? null : advise('dates', dates),
  })
  return verdict.timezone === timezone ? [finding] : [finding, sayZone(verdict, timezone, advise)]
}

/** Times of day are no fault; but whether days are read rightly does not show in them. */
function levelOf(verdict: DatesVerdict): FindingLevel {
  if (!verdict.ok) return 'wrong'
  return verdict.count === 0 || areTimes(verdict) ? 'note' : 'ok'
}

function areTimes({ count, utc, local }: DatesVerdict): boolean {
  return Math.max(utc.edges, local.edges) * 2 < count
}

function seenOf({ count, utc, local }: DatesVerdict, timezone: string): string {
  if (count === 0) return 'No dates came from which it could be told how days are written.'
  return `Of ${counted(count, 'date')} of leaves and timesheets ${utc.edges} are midnights in UTC (${timesOf(utc)}) and ${local.edges} in ${timezone} (${timesOf(local)}).`
}

function timesOf({ times }: DatesVerdict['utc']): string {
  return times.map(([time, count]) => `${count} at ${time}`).join(', ')
}

function meansOf(verdict: DatesVerdict): string {
  const { ok, dates, timezone, count } = verdict
  if (!ok) {
    return `Days are written as midnight ${dates === 'utc' ? 'UTC' : `in ${timezone}`}, so they are read as times of day, or a day off.`
  }
  if (count === 0) return 'Days are read as it is set; examine again once there are some.'
  return areTimes(verdict)
    ? 'Most are times of day, and are shown as such.'
    : 'Days are read as they are written.'
}

function sayZone(
  { timezone: right, count, local }: DatesVerdict,
  timezone: string,
  advise: Advise,
): Finding {
  return findingOf({
    check: 'timezone',
    level: 'wrong',
    seen: `In ${timezone} ${local.edges} of ${counted(count, 'date')} are midnights, in ${right} nearly all are.`,
    means: `The company works in another zone: shifts are hours off. Of the zones with the same time as ${right} set the one in which it works.`,
    set: advise('timezone', right),
  })
}
