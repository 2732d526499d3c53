/* A poll whose answer is ready is answered like any other, and whatever changes shows at the very next one. */
import { describe, expect, inject } from 'vitest'

import { calendarUrl, readsFrom, startBridge } from '../support/bridge/bridge.ts'
import { type PollAnswer, it as base, pollNow } from '../support/bridge/fixtures.ts'
import type { LogLine } from '../support/bridge/recorded-log.ts'
import { allOr } from '../support/bridge/thorough.ts'
import { leave } from '../support/company/people.ts'
import { databases } from '../support/database/databases.ts'

/** What a poll came to, and whether its answer was ready. */
interface Poll extends PollAnswer {
  readonly isReady: boolean
}

const later = { FEED_FRESH_SECONDS: '86400' }

/** `it` with Ada's feed and polls of it at the time that it is. */
const it = base
  .extend('settings', later)
  .extend('feed', ({ bridge }) => bridge.createFeed({ userIds: ['usr_ada'] }))
  .extend('ask', ({ feed, logged }) => {
    return async (fields: Record<string, string> = {}, form = 'ics'): Promise<Poll> => {
      const answer = await pollNow(calendarUrl(feed).replace(/ics$/, form), fields)
      const titles = form === 'ics' ? answer.titles : []
      const { status, headers, text } = answer
      return { status, headers, text, titles, isReady: wasReady(logged) }
    }
  })

function wasReady(logged: readonly LogLine[]): boolean {
  const line = logged.findLast(({ event }) => event === 'polled')
  return line !== undefined && 'ready' in line.data && line.data.ready === true
}

/** Of an answer that can be compared. */
function fieldsOf({ headers }: PollAnswer): readonly (readonly [string, string])[] {
  return [...headers].filter(([name]) => name !== 'date')
}

const encodings = ['gzip', 'br', 'zstd', 'identity', 'br;q=0.5, gzip;q=0.9, *;q=0']

describe.each(['ics', 'json'])('a ready .%s answer', (form) => {
  it.for(allOr(encodings, (accept) => form === 'ics' || accept === 'br'))(
    'a ready answer equals a rendered one in every header and byte, Accept-Encoding: %s',
    async (accept, { ask, feed, logged }) => {
      const fields = { 'Accept-Encoding': accept }
      await ask(fields, form)
      const made = await ask({ ...fields, 'Sec-Fetch-Dest': 'empty' }, form)
      const ready = await ask(fields, form)
      expect(ready).toMatchObject({ status: 200, isReady: true, text: made.text })
      // By an address that only the routes read.
      const address = calendarUrl(feed).replace(/ics$/, form)
      const routed = await pollNow(`${address}?`, fields)
      expect(wasReady(logged)).toBe(false)
      expect(routed.text).toBe(ready.text)
      expect(fieldsOf(ready)).toEqual(fieldsOf(routed))
    },
  )

  it('a client that has the answer gets 304 by tag and by date, and HEAD has no body', async ({
    ask,
    feed,
  }) => {
    const { headers } = await ask({}, form)
    await ask({}, form)
    const known = await ask({ 'If-None-Match': headers.get('ETag') ?? '' }, form)
    expect(known).toMatchObject({ status: 304, text: '', isReady: true })
    expect(known.headers.get('ETag')).toBe(headers.get('ETag'))
    expect(known.headers.get('Last-Modified')).toBe(headers.get('Last-Modified'))
    const address = calendarUrl(feed).replace(/ics$/, form)
    const head = await fetch(address, { method: 'HEAD' })
    expect(head.status).toBe(200)
    expect(await head.text()).toBe('')
    expect(head.headers.get('Content-Length')).toBe(
      (await fetch(address, { method: 'HEAD' })).headers.get('Content-Length'),
    )
  })
})

it('a browser is redirected to the page, and other methods are refused', async ({ ask, feed }) => {
  await ask()
  await ask()
  expect((await ask()).isReady).toBe(true)
  const navigation = await fetch(calendarUrl(feed), {
    headers: { 'Sec-Fetch-Dest': 'document' },
    redirect: 'manual',
  })
  expect(navigation.status).toBe(303)
  expect((await fetch(calendarUrl(feed), { method: 'POST' })).status).toBe(405)
})

it('a link polled too often answers 429', async ({ bridge, company, clock, databaseUrl }) => {
  const { id } = await bridge.createFeed({ userIds: ['usr_ada'] })
  const busy = await startBridge({
    clock,
    environment: {
      ...readsFrom(company.url),
      ...later,
      DATABASE_URL: databaseUrl,
      FEED_POLLS_PER_MINUTE: '3',
    },
  })
  const link = await busy.api('POST', `/api/feeds/${id}/links`, { label: 'phone' })
  const { url } = (await link.json()) as { readonly url: string }
  const statuses: number[] = []
  for (let polls = 0; polls < 5; polls += 1) statuses.push((await pollNow(url)).status)
  await busy.close()
  expect(statuses).toEqual([200, 200, 200, 429, 429])
})

const hourMs = 3_600_000

function eventsIn({ text }: PollAnswer): number {
  return text.split('BEGIN:VEVENT').length - 1
}

describe.each(databases)('changes shown at the next poll, on $name', ({ name, createMigrated }) => {
  const onDatabase = it
    .extend('databaseUrl', () => createMigrated())
    .extend('warm', ({ ask }) => async () => {
      await ask()
      await ask()
      expect(await ask()).toMatchObject({ status: 200, isReady: true })
    })
    // A bridge beside the first, to whom all copies are due.
    .extend('other', async ({ clock, environment }, { onCleanup }) => {
      const other = await startBridge({
        clock,
        environment: { ...environment, FEED_FRESH_SECONDS: '0' },
      })
      onCleanup(() => other.close())
      return other
    })
  // What needs nothing of the database that the others do not.
  const onEither = onDatabase.runIf(name === 'SQLite' || inject('isThorough'))

  onDatabase('a changed option shows at the next poll', async ({ warm, ask, other, feed }) => {
    await warm()
    await other.api('PATCH', `/api/feeds/${feed.id}`, { options: { tasks: { show: false } } })
    expect((await ask()).titles).not.toContain('Task tsk_ada')
    expect((await ask()).isReady).toBe(true)
  })

  onEither(
    'the choices of the holder show at the next poll',
    async ({ warm, ask, other, feed }) => {
      await warm()
      const page = new URL(calendarUrl(feed)).pathname.split('/').slice(0, 3).join('/')
      const body = new URLSearchParams({
        show: 'tasks',
        detail: 'type',
        locale: 'en',
        reminderMinutes: 'none',
      })
      const headers = { 'Sec-Fetch-Site': 'same-origin' }
      await fetch(new URL(page, other.url), { method: 'POST', body, headers, redirect: 'manual' })
      const { titles, isReady } = await ask()
      expect({ isReady, titles: [...titles] }).toEqual({
        isReady: false,
        titles: ['Task tsk_ada', 'Task tsk_both'],
      })
    },
  )

  onEither(
    'a purged feed says at the next poll that it has ended',
    async ({ warm, ask, other, feed }) => {
      await warm()
      await other.api('DELETE', `/api/feeds/${feed.id}?purge`)
      const ended = await ask()
      expect(ended).toMatchObject({ status: 200, isReady: false })
      expect(ended.titles).toHaveLength(1)
    },
  )

  onDatabase('an ended link answers 410 at the next poll', async ({ warm, ask, other, feed }) => {
    await warm()
    await other.api('DELETE', `/api/feeds/${feed.id}/links/default`)
    expect(await ask()).toMatchObject({ status: 410, isReady: false })
  })

  onDatabase(
    'a new copy on another node shows at the next poll',
    async ({ warm, ask, other, company, feed }) => {
      await warm()
      company.records.leaves['usr_ada']?.push(leave('lv_new', '2026-03-02'))
      await pollNow(calendarUrl(feed).replace(/^http:..[^/]+/, other.url))
      const after = await ask()
      expect(after.titles).toContain('Leave lv_new')
      expect((await ask()).isReady).toBe(true)
    },
  )

  onDatabase(
    'a person who has left is gone at the next poll',
    async ({ ask, bridge, clock, company }) => {
      const both = await bridge.createFeed({
        userIds: ['usr_ada', 'usr_bob'],
        options: { leaves: { detail: 'type' } },
      })
      company.records.users.push({ id: 'usr_cleo', firstName: 'Cleo', isActive: true })
      await ask()
      for (let polls = 0; polls < 3; polls += 1) await pollNow(calendarUrl(both))
      const before = await pollNow(calendarUrl(both))
      const node = await bridge.node()
      const now = clock.now()
      const left = { companyId: 'main', userId: 'usr_bob', because: 'user_inactive' } as const
      await node.store.departures.keepDeparture({
        ...left,
        since: now,
        readAt: now,
        leftAt: now,
        wasHere: true,
        isHeldBack: false,
        isCleared: false,
      })
      const after = await pollNow(calendarUrl(both))
      expect(before.titles.some((title) => title.startsWith('Bob'))).toBe(true)
      expect(after.titles.some((title) => title.startsWith('Bob'))).toBe(false)
    },
  )

  onEither(
    'a new day, with a possibly different window, shows at the next poll',
    async ({ warm, ask, clock }) => {
      await clock.advance(Date.parse('2026-01-31T20:00:00Z') - clock.now())
      await warm()
      const before = await ask()
      await clock.advance(4 * hourMs)
      const after = await ask()
      expect(after).toMatchObject({ status: 200, isReady: false })
      expect(eventsIn(after)).toBeGreaterThan(eventsIn(before))
      expect((await ask()).isReady).toBe(true)
    },
  )

  onEither(
    'a link past the end of its grace answers 410 at the next poll',
    async ({ warm, ask, bridge, clock, feed }) => {
      await ask()
      await clock.advance(hourMs)
      await bridge.api('POST', `/api/feeds/${feed.id}/rotations`, { graceDays: 1 })
      await clock.advance(23.5 * hourMs)
      await warm()
      await clock.advance(hourMs)
      expect(await ask()).toMatchObject({ status: 410, isReady: false })
    },
  )

  onEither(
    'a stale answer says so at the next poll, and no longer once it is fresh',
    async ({ warm, ask, company, clock }) => {
      await warm()
      company.faults.set('/leaves', 500)
      await clock.advance(25 * hourMs)
      const stale = await ask()
      expect(stale).toMatchObject({ status: 200, isReady: false })
      expect(stale.headers.get('X-Feed-Stale-Seconds')).toBe(String(25 * 3600))
      company.faults.clear()
      await clock.advance(2 * hourMs)
      expect((await ask()).headers.get('X-Feed-Stale-Seconds')).toBeNull()
      expect((await ask()).isReady).toBe(true)
    },
  )
})
