/* A database of each release before is brought up to date and gives every calendar byte for byte as it did. */
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'

import { hashSecret } from '../src/domain/secrets.ts'
import {
  adminToken,
  type FeedAnswer,
  startBridge,
  type TestBridge,
} from './support/bridge/bridge.ts'
import { createFakeClock, type FakeClock } from './support/bridge/fake-clock.ts'
import { databases } from './support/database/databases.ts'
import { hasPartDays, partsOf, withPartDays } from './support/release/part-days.ts'
import {
  answerOf,
  calendarOf,
  calendarPath,
  type DatabaseKind,
  eventTexts,
  namesStatuses,
  pollLink,
  readRelease,
  releaseNames,
  type ReleaseLink,
  type ReleaseName,
  restoreRelease,
  withStatusesInWords,
} from './support/release/release-fixture.ts'

/** Calendars in which some events are revised once, and nothing else changes. */
const isRevised = (link: ReleaseLink): boolean => namesStatuses(link) || hasPartDays(link)

const kindOf: Readonly<Record<string, DatabaseKind>> = { SQLite: 'sqlite', PostgreSQL: 'postgres' }

/** What each release was asked for under a key, where it was. */
const madeUnderKey: Partial<Record<ReleaseName, object>> = {
  '0.1': { userIds: ['usr_hana'], options: { window: { pastDays: 10, futureDays: 30 } } },
  '0.3': {
    companyId: 'main',
    userIds: ['usr_sakura'],
    timezone: 'Asia/Kathmandu',
    locale: 'de',
    name: 'さくら',
    options: {
      window: { pastDays: 1, futureDays: 28 },
      shifts: {
        scheduleIds: ['sch_day', 'sch_rot'],
        rotation: { weeks: [['sch_rot'], []], from: '2026-03-02' },
      },
    },
  },
  '0.4': {
    companyId: 'main',
    userIds: ['usr_sakura'],
    timezone: 'Asia/Kathmandu',
    name: 'さくら',
    options: { window: { pastDays: 1, futureDays: 7 } },
  },
}

/* No company listens: whatever asks for one more record than the copies hold gets none. */
const restored = releaseNames.flatMap((version) =>
  databases.map((database) => ({ ...database, version })),
)

describe.each(restored)('a $name database of release $version', ({ name, create, version }) => {
  const release = readRelease(version)
  const calendars = release.links.filter(({ calendar }) => calendar !== null)
  const asked = calendars.filter((link) => link.asked)
  const kind = kindOf[name]!
  const isThorough = inject('isThorough')
  /** For what does not hang on the database, as long as each gives every calendar as it was. */
  const isFirstDatabase = name === 'SQLite' || isThorough
  /** For what does not hang on the release. */
  const isFirstRelease = version === releaseNames[0] || isThorough
  let clock: FakeClock
  let databaseUrl: string
  let bridge: TestBridge

  const start = (): Promise<TestBridge> =>
    startBridge({ clock, environment: { ...release.environment, DATABASE_URL: databaseUrl } })
  const calendarUrl = (link: ReleaseLink): string => bridge.url + calendarPath(link, kind)

  async function expectAsBefore(link: ReleaseLink): Promise<void> {
    const { answer, calendar } = await pollLink(calendarUrl(link))
    if (isRevised(link)) {
      const text = calendar!.toString()
      if (hasPartDays(link)) {
        expect(partsOf(text)).toEqual(partsOf(withPartDays(link, release.instant)))
      } else expect(eventTexts(text)).toBe(withStatusesInWords(link, release.instant))
      expect(answer).toMatchObject({ status: link.status, page: link.page })
      return
    }
    expect(calendar?.toString()).toBe(calendarOf(link)?.toString())
    expect(answer).toEqual(answerOf(link))
  }

  beforeAll(async () => {
    clock = createFakeClock(release.instant)
    databaseUrl = await create()
    await restoreRelease(release, databaseUrl)
    await expect(fetch(release.companyUrl)).rejects.toThrow('fetch failed')
    bridge = await start()
  })

  afterAll(() => bridge.close())

  it.runIf(isFirstDatabase).each(asked.filter((link) => !isRevised(link)))(
    'reports an unchanged calendar to clients that have it: $what',
    async (link) => {
      const byTag = await fetch(calendarUrl(link), { headers: { 'If-None-Match': link.etag! } })
      const byTime = await fetch(calendarUrl(link), {
        headers: { 'If-Modified-Since': link.lastModified! },
      })
      expect([byTag.status, byTime.status]).toEqual([304, 304])
    },
  )

  it.runIf(isFirstDatabase).each(asked.filter(isRevised))(
    'reports once what is said differently: $what',
    async (link) => {
      const known = { 'If-None-Match': link.etag!, 'If-Modified-Since': link.lastModified! }
      const { status, headers } = await fetch(calendarUrl(link), { headers: known })
      expect(status).toBe(200)
      const [etag, lastModified] = [headers.get('ETag')!, headers.get('Last-Modified')!]
      expect(Date.parse(lastModified)).toBeGreaterThan(Date.parse(link.lastModified!))
      const byTag = await fetch(calendarUrl(link), { headers: { 'If-None-Match': etag } })
      const byTime = await fetch(calendarUrl(link), {
        headers: { 'If-Modified-Since': lastModified },
      })
      expect([byTag.status, byTime.status]).toEqual([304, 304])
    },
  )

  it.each(release.links)('gives what it gave: $what', expectAsBefore)

  it.runIf(isFirstRelease)(
    'gives the same once more when it is opened again while the copies are fresh',
    async () => {
      await bridge.close()
      await clock.advance(2 * 60_000)
      bridge = await start()
      for (const link of release.links) await expectAsBefore(link)
    },
  )

  it('lists every feed', async () => {
    const list = await bridge.api('GET', '/api/feeds?limit=100')
    const { data } = (await list.json()) as { data: { links: unknown[] }[] }
    expect(data.flatMap(({ links }) => links)).toHaveLength(release.links.length)
  })

  it.runIf(isFirstDatabase).each(release.links.filter((link) => link.jsonTag && !isRevised(link)))(
    'reports unchanged events to programs that have them: $what',
    async (link) => {
      const address = calendarUrl(link).replace(/\.ics$/, '.json')
      const answer = await fetch(address, { headers: { 'If-None-Match': link.jsonTag! } })
      expect([answer.status, answer.headers.get('ETag')]).toEqual([304, link.jsonTag])
    },
  )

  const made = madeUnderKey[version]

  it.runIf(made)('recognizes what was created under a key', async () => {
    const again = await fetch(`${bridge.url}/api/feeds`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${adminToken}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': 'a key = +1 for the fixture',
      },
      body: JSON.stringify(made),
    })
    expect(again.headers.get('Idempotency-Replayed')).toBe('true')
  })

  it.runIf(version === '0.2')(
    'choices made for a feed now belong to each of its links',
    async () => {
      const [first, ...others] = release.links
      const id = await feedOf(first!)
      const choices = { hide: ['timesheets', 'tasks'], detail: 'type' }
      const chosen = async (): Promise<unknown[]> => {
        const { links } = (await (await bridge.api('GET', `/api/feeds/${id}`)).json()) as FeedAnswer
        return links.map((link) => Object(link).choices)
      }
      expect(await chosen()).toEqual([choices, choices, choices, choices, choices])
      const page = calendarUrl(first!).replace(/\/[^/]+$/, '')
      const body = new URLSearchParams([
        ['show', 'leaves'],
        ['locale', 'de'],
      ])
      const headers = { 'Sec-Fetch-Site': 'same-origin' }
      const saved = await fetch(page, { method: 'POST', body, headers, redirect: 'manual' })
      expect(saved.status).toBe(303)
      const hide = ['shifts', ...choices.hide]
      expect(await chosen()).toEqual([
        { ...choices, hide, locale: 'de' },
        choices,
        choices,
        choices,
        choices,
      ])
      for (const link of others) await expectAsBefore(link)
    },
  )

  async function feedOf(link: ReleaseLink): Promise<string> {
    const tokenHash = hashSecret('cfb', link.tokens[kind])!
    const found = await (await bridge.node()).store.links.findByTokenHash(tokenHash)
    return found!.feed.id
  }
})
