/*
 * Whatever was set before, however lists are paged and whichever records are damaged: what doctor says agrees with what the
 * calendars show, and nobody who does what it says loses anything.
 */
import { expect } from 'vitest'

import type { Examination } from '../../../src/domain/examination.ts'
import { calendarUrl, readsFrom, startBridge, type TestBridge } from '../bridge/bridge.ts'
import { migratedSqliteDatabase } from '../database/databases.ts'
import { type Environment, following, runDoctor, settingsOf, wrongIn } from './examine.ts'
import { type ExaminedHistory, people } from './examined-history.ts'
import { startForeignApi } from './foreign-api.ts'

const roundsMax = 5

/** What a calendar shows, and what its page says is amiss. */
interface Shown {
  readonly uids: ReadonlySet<string>
  readonly conditions: readonly string[]
}

/** Fails where doctor and the calendars do not agree, or advice loses something. */
export async function checkHistory({ api: style, right, tried }: ExaminedHistory): Promise<void> {
  const api = await startForeignApi(style)
  const { url } = api
  try {
    const { origin } = new URL(url)
    const written = tried.map((it) => ({ ...readsFrom(url), ...withOrigin(it, origin) }))
    const folder = { DATABASE_URL: migratedSqliteDatabase() }
    const last = written.at(-1) ?? {}
    for (const set of written.slice(0, -1)) await runDoctor(url, { ...folder, ...set })

    const again = (await runDoctor(url, { ...folder, ...last })).examination
    const first = (await runDoctor(url, { DATABASE_URL: migratedSqliteDatabase(), ...last }))
      .examination
    expect(outline(again), 'as on an untouched data folder').toEqual(outline(first))

    const best = await calendars({ ...readsFrom(url), ...right })
    await follow({ url, set: last, examination: again, best, round: 0 })
  } finally {
    await api.close()
  }
}

interface Following {
  readonly url: string
  readonly set: Environment
  readonly examination: Examination
  /** What calendars show with the right settings. */
  readonly best: readonly Shown[]
  readonly round: number
}

async function follow({ url, set, examination, best, round }: Following): Promise<void> {
  const folder = { DATABASE_URL: migratedSqliteDatabase() }
  const shown = await calendars({ ...folder, ...set })
  const { examination: known } = await runDoctor(url, { ...folder, ...set })
  agrees(known, shown)
  if (wrongIn(examination).length === 0) expectWhole(shown, best)
  const advice = settingsOf(examination)
  if (advice.length === 0) return
  expect(round, `${advice.join(' ')} is the last advice`).toBeLessThan(roundsMax)
  const next = { ...set, ...following(advice) }
  const after = await calendars(next)
  for (const [index, { uids }] of shown.entries()) {
    const lost = [...uids.difference(after[index]?.uids ?? new Set())].filter(isRecord)
    expect(lost, `lost after ${advice.join(' ')}`).toEqual([])
  }
  const { examination: then } = await runDoctor(url, {
    DATABASE_URL: migratedSqliteDatabase(),
    ...next,
  })
  await follow({ url, set: next, examination: then, best, round: round + 1 })
}

/** What a page says is amiss doctor has found as well, of the same copies. */
function agrees(examination: Examination, shown: readonly Shown[]): void {
  const wrong = wrongIn(examination)
  const notOk = examination.findings.flatMap(({ level, check }) => (level === 'ok' ? [] : [check]))
  const said = new Set(shown.flatMap(({ conditions }) => conditions))
  if (said.has('unreadable_records')) {
    expect(wrong, 'unreadable_records').toContain('records')
  }
  for (const [about, found] of [
    ['leaves_missing', 'leaves-employee'],
    ['needs_rotation', 'schedules'],
    ['missing_schedule', 'schedules'],
    ['inactive_schedule', 'schedules'],
    ['no_such_project', 'projects'],
  ] as const) {
    if (said.has(about)) expect(notOk, `${about} stands on a page`).toContain(found)
  }
  if (said.has('unavailable') || said.has('stale')) expect(wrong, 'unavailable').not.toEqual([])
}

/** Where all is well calendars lack nothing that they would show with the right settings. Which tasks and shifts they show is a choice. */
function expectWhole(shown: readonly Shown[], best: readonly Shown[]): void {
  for (const [index, { uids }] of best.entries()) {
    const lacking = [...uids].filter((uid) => isRecord(uid) && !uid.startsWith('task-'))
    expect(
      lacking.filter((uid) => !shown[index]?.uids.has(uid)),
      'all is well',
    ).toEqual([])
  }
}

/** Shifts come and go with the leaves that hide them. */
function isRecord(uid: string): boolean {
  return !uid.startsWith('shift-')
}

/** The calendar of each person. */
async function calendars(environment: Environment): Promise<readonly Shown[]> {
  const bridge = await startBridge({ environment })
  try {
    const all: Shown[] = []
    for (const id of people) all.push(await calendarOf(bridge, id))
    return all
  } finally {
    await bridge.close()
  }
}

async function calendarOf(bridge: TestBridge, id: string): Promise<Shown> {
  // The Read API answers that there is no such person where the address is wrong.
  const feed = await bridge.createFeed({ userIds: [id] }).catch(() => null)
  if (!feed) return { uids: new Set(), conditions: ['unavailable'] }
  const calendar = calendarUrl(feed)
  const answer = await fetch(calendar)
  const text = (await answer.text()).replaceAll('\r\n ', '')
  const page = await (await fetch(calendar.replace(/\/[^/]*\.ics$/, ''))).text()
  const uids = [...text.matchAll(/^UID:(.*)\r$/gm)].map(([, uid = '']) => uid)
  return {
    uids: new Set(answer.ok ? uids : []),
    conditions: [...page.matchAll(/data-about="(\w+)"/g)].map(([, about = '']) => about),
  }
}

/** What does not depend on how many people happen to be known. */
function outline({ findings }: Examination): object {
  return findings.map(({ check, level, set }) => ({ check, level, set }))
}

function withOrigin(environment: Environment, origin: string): Environment {
  return Object.fromEntries(
    Object.entries(environment).map(([key, it]) => [key, it.replace('{origin}', origin)]),
  )
}
