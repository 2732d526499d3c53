import type { Company } from '../../domain/company.ts'
import type { Finding } from '../../domain/examination.ts'
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
  const finding = {
    check: 'dates',
    ok,
    seen: seenOf(verdict, timezone),
    means: meansOf(verdict),
    set: ok ? null : advise('dates', dates),
  }
  return verdict.timezone === timezone ? [finding] : [finding, sayZone(verdict, timezone, advise)]
}

function seenOf({ count, utc, local }: DatesVerdict, timezone: string): string {
  if (count === 0) return 'No dates came from which it could be told how days are written.'
  return `Of ${counted(count, 'date')} of leaves and timesheets ${utc.edges} are midnights in UTC (${timesOf(utc)}) and ${local.edges} in ${timezone} (${timesOf(local)}).`
}

function timesOf({ times }: DatesVerdict['utc']): string {
  return times.map(([time, count]) => `${count} at ${time}`).join(', ')
}

function meansOf({ ok, dates, timezone, count, utc, local }: DatesVerdict): string {
  if (!ok) {
    return `Days are written as midnight ${dates === 'utc' ? 'UTC' : `in ${timezone}`}, so they would be read as times or a day off.`
  }
  return Math.max(utc.edges, local.edges) * 2 < count
    ? 'Most are times of day, and are shown as such.'
    : 'Days are read as they are written.'
}

function sayZone(
  { timezone: right, count, local }: DatesVerdict,
  timezone: string,
  advise: Advise,
): Finding {
  return {
    check: 'timezone',
    ok: false,
    seen: `In ${timezone} ${local.edges} of ${counted(count, 'date')} are midnights, in ${right} nearly all are.`,
    means: `The company works in another zone: shifts would be hours off. Of the zones like ${right} take the one it works in.`,
    set: advise('timezone', right),
  }
}
