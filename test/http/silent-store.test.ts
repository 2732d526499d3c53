/* Whatever the database does, a poll is answered in its time, and what is ready goes out. */
import { setImmediate as nextTurn } from 'node:timers/promises'

import pg from 'pg'
import { describe, expect } from 'vitest'

import { newLink, rotatedLabel } from '../../src/feeds/link-replacement.ts'
import type { Store } from '../../src/store/open-store.ts'
import { passUntil } from '../support/adversary/pass-until.ts'
import {
  calendarUrl,
  type FeedAnswer,
  linkOf,
  readsFrom,
  startBridge,
} from '../support/bridge/bridge.ts'
import { it as base, type PollAnswer, pollNow } from '../support/bridge/fixtures.ts'
import { allOr } from '../support/bridge/thorough.ts'
import { readCalendar } from '../support/calendar/read-calendar.ts'
import type { CompanyServer } from '../support/company/company-server.ts'
import { leave } from '../support/company/people.ts'
import { startSilentWire } from '../support/company/silent-wire.ts'
import { type Other, openOther } from '../support/database/locks.ts'
import { migratedName } from '../support/database/migrated.ts'
import { createTestDatabase } from '../support/database/postgres.ts'

/** As the budget is by default, and half a second. */
const deadlineMs = 8500
/** How many poll at once. */
const crowds = allOr([1, 4, 20], (count) => count === 20)

/** `it` with Ada's feed, and somebody else who uses the database. */
const it = base
  .extend('feed', ({ bridge }) => bridge.createFeed({ userIds: ['usr_ada'] }))
  .extend('address', ({ feed }) => calendarUrl(feed))
  .extend('other', async ({ databaseUrl }, { onCleanup }): Promise<Other> => {
    const other = await openOther(databaseUrl)
    onCleanup(() => other.close())
    return other
  })
  // So many polls at once, which have nothing to wait for but the database and the end of their time.
  .extend('pollOver', ({ clock, company, address }) => {
    return async (count: number, fields: Record<string, string> = {}, at = address) => {
      const polls = Promise.all(Array.from({ length: count }, () => pollNow(at, fields)))
      return passUntil(polls, async () => {
        await untilNothingIsAsked(company)
        await clock.advance(deadlineMs)
      })
    }
  })

/** Until the Read API has not been asked for many turns of the event loop, which all parts of a test share. */
async function untilNothingIsAsked({ requests }: Pick<CompanyServer, 'requests'>): Promise<void> {
  let asked = -1
  while (requests.length > asked) {
    asked = requests.length
    for (let turns = 0; turns < 3000; turns += 1) await nextTurn()
  }
}

function staleOf({ headers }: PollAnswer): number | null {
  const seconds = headers.get('X-Feed-Stale-Seconds')
  return seconds === null ? null : Number(seconds)
}

function sequencesOf({ text }: PollAnswer): Record<string, number> {
  const events = [...readCalendar(text)]
  return Object.fromEntries(events.map(([, { summary, sequence }]) => [summary, sequence]))
}

function renameLeave(company: CompanyServer, name: string): void {
  const leaveType = { name, category: 'ANNUAL' }
  company.records.leaves['usr_ada'] = [
    leave('lv_ada1', '2026-01-12', { leaveType }),
    leave('lv_ada2', '2026-02-10'),
  ]
}

const sqliteLocks = allOr(['begin immediate', 'begin exclusive'], (lock) =>
  lock.endsWith('immediate'),
)

describe.each(sqliteLocks)('a database locked by %s', (lock) => {
  it.for(crowds)('%i polls get the ready calendar', async (count, { address, other }) => {
    const before = await pollNow(address)
    await other.lock(lock)
    const polls = Array.from({ length: count }, () => pollNow(address))
    for (const poll of await Promise.all(polls)) {
      expect(poll).toMatchObject({ status: 200, text: before.text })
      expect(staleOf(poll)).toBeNull()
    }
    await other.release()
  })

  it.for(crowds)(
    '%i polls with due copies get the last calendar, and the change shows afterwards',
    async (count, { address, clock, company, other, pollOver, poll }) => {
      const before = await pollNow(address)
      await clock.advance(3_600_000)
      renameLeave(company, 'Changed')
      await other.lock(lock)
      const polls = await pollOver(count)
      await other.release()
      for (const one of polls) {
        expect(one).toMatchObject({ status: 200, text: before.text })
        expect(staleOf(one)).toBeGreaterThanOrEqual(3600)
      }
      const after = await poll(address)
      expect(staleOf(after)).toBeNull()
      expect(sequencesOf(before)).toMatchObject({ 'Leave lv_ada1': 0, 'Leave lv_ada2': 0 })
      expect(sequencesOf(after)).toMatchObject({ Changed: 1, 'Leave lv_ada2': 0 })
    },
  )

  it.for(crowds)(
    '%i first polls are asked to come back',
    async (count, { address, company, other, pollOver, poll }) => {
      await other.lock(lock)
      const polls = await pollOver(count)
      await other.release()
      for (const one of polls) {
        expect(one.status).toBe(503)
        expect(Number(one.headers.get('Retry-After'))).toBeGreaterThan(0)
      }
      expect(company.requests.length).toBeGreaterThan(0)
      expect((await poll(address)).titles).toContain('Leave lv_ada1')
    },
  )

  it('the node is alive and ready', async ({ bridge, address, clock, other }) => {
    await pollNow(address)
    await clock.advance(61_000)
    await other.lock(lock)
    const due = pollNow(address)
    expect((await fetch(`${bridge.url}/healthz`)).status).toBe(200)
    expect((await fetch(`${bridge.url}/readyz`)).status).toBe(200)
    await clock.advance(deadlineMs)
    await other.release()
    await due
  })
})

it('a client that has the ready calendar gets 304 and its age', async ({
  address,
  clock,
  other,
  pollOver,
}) => {
  const { headers } = await pollNow(address)
  await clock.advance(3_600_000)
  await other.lock('begin immediate')
  const [known] = await pollOver(1, { 'If-None-Match': headers.get('ETag') ?? '' })
  await other.release()
  expect(known).toMatchObject({ status: 304, text: '' })
  expect(staleOf(known!)).toBeGreaterThanOrEqual(3600)
})

/** `it` on PostgreSQL, where a lock may be on one table alone. */
const onPostgres = it
  .extend('databaseUrl', () => createTestDatabase(migratedName))
  .extend('settings', { FEED_FRESH_SECONDS: '86400' })

describe.each(['links', 'copies'])('a locked table: %s', (table) => {
  const lock = `lock table ${table} in access exclusive mode`

  onPostgres.for(crowds)(
    '%i polls get the last ready calendar',
    async (count, { address, clock, other, pollOver }) => {
      const before = await pollNow(address)
      await clock.advance(3_600_000)
      await pollNow(address)
      await clock.advance(60_000)
      await other.lock(lock)
      const polls = await pollOver(count)
      await other.release()
      for (const one of polls) {
        expect(one).toMatchObject({ status: 200, text: before.text })
        // Since it was last confirmed.
        expect(staleOf(one)).toBeGreaterThanOrEqual(60)
        expect(staleOf(one)).toBeLessThan(3600)
      }
      expect(staleOf(await pollNow(address))).toBeNull()
    },
  )

  onPostgres(
    'a link that was never polled answers 503 until the lock ends',
    async ({ address, other, pollOver }) => {
      await other.lock(lock)
      expect(await pollOver(1)).toMatchObject([{ status: 503 }])
      await other.release()
      expect(await pollNow(address)).toMatchObject({ status: 200 })
    },
  )
})

onPostgres(
  'changes that the ledger cannot store are not published, and SEQUENCE counts on afterwards',
  async ({ address, clock, company, other, pollOver }) => {
    const before = await pollNow(address)
    await clock.advance(86_400_000)
    renameLeave(company, 'Changed')
    await other.lock('lock table ledgers in access exclusive mode')
    const [silent] = await pollOver(1)
    await other.release()
    expect(silent).toMatchObject({ status: 200, text: before.text })
    expect(staleOf(silent!)).toBeGreaterThanOrEqual(86_400)
    const after = await pollNow(address)
    expect(staleOf(after)).toBeNull()
    expect(sequencesOf(after)).toMatchObject({ Changed: 1, 'Leave lv_ada2': 0 })
  },
)

/** As a server does that has no room left. */
const failing = `create function fail() returns trigger language plpgsql
  as $$ begin raise 'on purpose' using errcode = '53100'; end $$`

onPostgres(
  'a first poll answers 503 until the database accepts its copies',
  async ({ address, other, poll }) => {
    const refusing = 'create trigger failing before insert on copies execute function fail()'
    await other.lock(failing, refusing, 'commit')
    const refused = await pollNow(address)
    expect(refused).toMatchObject({
      status: 503,
      text: 'The database has not taken what the workforce system answered.\n',
    })
    expect(refused.headers.get('Retry-After')).toBe('120')
    await other.lock('drop function fail cascade', 'commit')
    expect((await poll(address)).titles).toContain('Leave lv_ada1')
  },
)

const noLinks = 'lock table links in access exclusive mode'

/** Until a lock holds somebody up. */
async function untilSomebodyWaits(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const waiting = `select from pg_locks join pg_database on pg_database.oid = database
    where datname = current_database() and not granted`
  while ((await client.query(waiting)).rowCount === 0);
  await client.end()
}

const changesElsewhere = {
  'a feed': async ({ feeds }: Store, { id }: FeedAnswer) => {
    const ownOptions = { leaves: { detail: 'absent' } } as const
    const auditEvent = { at: 0, actor: 'admin', action: 'feed_changed' } as const
    await feeds.changeFeed(id, (feed) => ({ ...feed, ownOptions }), auditEvent)
  },
  "the company's defaults": async ({ companyDefaults }: Store) => {
    const auditEvent = { at: 0, actor: 'admin', action: 'defaults_changed' } as const
    const own = { leaves: { detail: 'absent' } } as const
    await companyDefaults.changeDefaults('main', (before) => ({ ...before, own }), auditEvent)
  },
  'the choices of a link': async ({ links }: Store, feed: FeedAnswer) => {
    const found = await links.findByTokenHash(linkOf(feed).tokenHash)
    await links.changeChoices(found!.link, () => ({ detail: 'absent' }))
  },
}

describe('ended or changed feeds while the database is silent', () => {
  onPostgres.for([
    ['a revoked feed', 'DELETE', 'feeds/ID', undefined],
    ['an ended link', 'DELETE', 'feeds/ID/links/default', undefined],
    ['a rotated link', 'POST', 'feeds/ID/rotations', {}],
    ['a changed option', 'PATCH', 'feeds/ID', { options: { tasks: { show: false } } }],
    ['a changed default', 'PATCH', 'companies/main', { defaults: { locale: 'de' } }],
  ] as const)('%s', async ([, method, path, body], { address, bridge, feed, other, pollOver }) => {
    expect((await pollNow(address)).status).toBe(200)
    const changed = await bridge.api(method, `/api/${path.replace('ID', feed.id)}`, body)
    expect(changed.ok).toBe(true)
    await other.lock(noLinks)
    expect(await pollOver(1)).toMatchObject([{ status: 503 }])
    await other.release()
  })

  onPostgres(
    'an erased person does not come back',
    async ({ address, bridge, other, pollOver }) => {
      expect((await pollNow(address)).status).toBe(200)
      const erased = await bridge.api('POST', '/api/erasures', { userId: 'usr_ada' })
      expect(erased.ok).toBe(true)
      await other.lock(noLinks)
      expect(await pollOver(1)).toMatchObject([{ status: 503 }])
      await other.release()
    },
  )

  onPostgres(
    'an erased person does not come back if the database may not have taken the erasure',
    async ({ address, bridge, other, pollOver }) => {
      expect((await pollNow(address)).status).toBe(200)
      await other.lock(
        failing,
        `create constraint trigger failing after delete on feeds initially deferred
          for each row execute function fail()`,
        'commit',
      )
      const erased = await bridge.api('POST', '/api/erasures', { userId: 'usr_ada' })
      expect(erased.status).toBe(503)
      await other.lock(noLinks)
      expect(await pollOver(1)).toMatchObject([{ status: 503 }])
      await other.release()
    },
  )

  onPostgres(
    'a mailed link does not come back once the next mailed link was polled',
    async ({ address, clock, feed, node, other, pollOver }) => {
      const mail = async (): Promise<string> => {
        await clock.advance(1000)
        const { token, link } = newLink({
          feedId: feed.id,
          label: 'mail',
          createdAt: clock.now(),
        })
        const at = clock.now()
        await node.store.links.mailLink(
          { ...link, awaitsPoll: true },
          { label: rotatedLabel('mail', at), unusedEndAt: at + 86_400_000, untouchedMax: 3 },
          { at, actor: 'bridge' },
        )
        return address.replace(/cfb_[\w-]{43}/, token)
      }
      const first = await mail()
      expect((await pollNow(first)).status).toBe(200)
      expect((await pollNow(await mail())).status).toBe(200)
      await other.lock(noLinks)
      expect(await pollOver(1, {}, first)).toMatchObject([{ status: 503 }])
      await other.release()
      expect((await pollNow(first)).status).toBe(410)
    },
  )

  onPostgres.for(Object.entries(changesElsewhere))(
    'the old state of %s changed by another node is not served once the change is known',
    async ([, change], { address, clock, databaseUrl, feed, node, other, pollOver }) => {
      const before = await pollNow(address)
      await change(node.store, feed)
      await other.lock('lock table ledgers in access exclusive mode')
      const polling = pollNow(address)
      await untilSomebodyWaits(databaseUrl)
      await clock.advance(deadlineMs)
      expect(await polling).toMatchObject({ status: 503 })
      await other.release()
      await other.lock(noLinks)
      expect(await pollOver(1)).toMatchObject([{ status: 503 }])
      await other.release()
      const after = await pollNow(address)
      expect(after.status).toBe(200)
      expect(after.text).not.toBe(before.text)
    },
  )

  onPostgres(
    'a link ended by another node does not come back once it was polled',
    async ({ address, clock, feed, node, other, pollOver }) => {
      expect((await pollNow(address)).status).toBe(200)
      await node.store.links.endLink(feed.id, 'default', { endsAt: clock.now() })
      expect((await pollNow(address)).status).toBe(410)
      await other.lock(noLinks)
      expect(await pollOver(1)).toMatchObject([{ status: 503 }])
      await other.release()
    },
  )
})

const dayMs = 86_400_000

onPostgres.for([
  ['until the link ends', 2, { graceDays: 2 }],
  ['for FEED_STALE_DAYS', 7, { graceDays: 30 }],
] as const)(
  'a ready calendar is served without the database %s',
  async ([, days, grace], { address, bridge, clock, feed, other, pollOver }) => {
    await bridge.api('POST', `/api/feeds/${feed.id}/rotations`, grace)
    await pollNow(address)
    expect((await pollNow(address)).status).toBe(200)
    await other.lock(noLinks)
    await clock.advance((days - 1) * dayMs)
    expect(await pollOver(1)).toMatchObject([{ status: 200 }])
    await clock.advance(dayMs)
    expect(await pollOver(1)).toMatchObject([{ status: 503 }])
    await other.release()
  },
)

const onSilentWire = base
  .extend('settings', { FEED_FRESH_SECONDS: '86400' })
  .extend('server', () => createTestDatabase(migratedName))
  .extend('wire', async ({ server }, { onCleanup }) => {
    const wire = await startSilentWire(server)
    onCleanup(() => wire.close())
    return wire
  })
  .extend('databaseUrl', ({ wire }) => wire.url)

// The driver waits by a clock of its own.
describe.concurrent('a database server that does not answer at all', () => {
  onSilentWire(
    'polls are answered, the node is alive but not ready, and everything recovers afterwards',
    async ({ wire, bridge, clock, company }) => {
      const address = calendarUrl(await bridge.createFeed({ userIds: ['usr_ada'] }))
      const never = calendarUrl(await bridge.createFeed({ userIds: ['usr_bob'] }))
      const before = await pollNow(address)
      const isStalled = wire.stall()
      const polls = Promise.all([...Array(20).fill(address), never].map((url) => pollNow(url)))
      await isStalled
      expect((await fetch(`${bridge.url}/healthz`)).status).toBe(200)
      expect((await fetch(`${bridge.url}/readyz`)).status).toBe(503)
      await clock.advance(deadlineMs)
      const answers = await polls
      for (const one of answers.slice(0, 20)) {
        expect(one).toMatchObject({ status: 200, text: before.text })
        expect(staleOf(one)).not.toBeNull()
      }
      expect(answers.at(-1)).toMatchObject({ status: 503 })
      wire.resume()
      expect((await fetch(`${bridge.url}/readyz`)).status).toBe(200)
      renameLeave(company, 'Changed')
      await clock.advance(86_400_000)
      const after = await pollNow(address)
      expect(staleOf(after)).toBeNull()
      expect(sequencesOf(after)).toMatchObject({ Changed: 1, 'Leave lv_ada2': 0 })
      expect(await pollNow(never)).toMatchObject({ status: 200 })
    },
  )

  onSilentWire('a node shuts down', async ({ wire, clock, company, databaseUrl }) => {
    const environment = { ...readsFrom(company.url), DATABASE_URL: databaseUrl }
    const bridge = await startBridge({ clock, environment })
    const address = calendarUrl(await bridge.createFeed({ userIds: ['usr_ada'] }))
    await pollNow(address)
    const isStalled = wire.stall()
    const polling = pollNow(address)
    await isStalled
    await clock.advance(deadlineMs)
    expect((await polling).status).toBe(200)
    await bridge.close()
  })
})
