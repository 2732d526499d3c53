/* While the database or the Read API fails, an account gets its last answers in time. */
import { setImmediate as nextTurn } from 'node:timers/promises'

import { describe, expect } from 'vitest'

import { passUntil } from '../support/adversary/pass-until.ts'
import { allOr } from '../support/bridge/thorough.ts'
import type { CompanyServer } from '../support/company/company-server.ts'
import { leave } from '../support/company/people.ts'
import { type Other, openOther } from '../support/database/locks.ts'
import { it as base } from '../support/dav/account-fixture.ts'
import {
  type DavAccount,
  type DavAnswer,
  multiget,
  propfind,
  query,
  readMultistatus,
  sync,
} from '../support/dav/dav-client.ts'

/** The default refresh budget and half a second. */
const deadlineMs = 8500

const it = base.extend('other', async ({ databaseUrl }, { onCleanup }): Promise<Other> => {
  const other = await openOther(databaseUrl)
  onCleanup(() => other.close())
  return other
})

/** Waits until the Read API has not been asked for many turns of the event loop, which the whole test shares. */
async function untilNothingIsAsked({ requests }: Pick<CompanyServer, 'requests'>): Promise<void> {
  let asked = -1
  while (requests.length > asked) {
    asked = requests.length
    for (let turns = 0; turns < 3000; turns += 1) await nextTurn()
  }
}

interface Held {
  readonly token: string
  readonly event: string
}

async function syncAll(account: DavAccount): Promise<Held> {
  const { responses, syncToken } = readMultistatus(
    await account.ask('REPORT', account.calendar, { body: sync('') }),
  )
  return { token: syncToken!, event: responses[0]!.href }
}

function requestsOf(account: DavAccount, { token, event }: Held): Promise<readonly DavAnswer[]> {
  const { calendar } = account
  const current = { body: propfind('<sync-token/>'), headers: { Depth: '0' } }
  return Promise.all([
    account.ask('PROPFIND', '/dav/'),
    account.ask('PROPFIND', '/dav/calendars/', { headers: { Depth: '1' } }),
    account.ask('PROPFIND', calendar, current),
    account.ask('REPORT', calendar, { body: sync(token) }),
    account.ask('REPORT', calendar, { body: sync('') }),
    account.ask('REPORT', calendar, { body: query('') }),
    account.ask('REPORT', calendar, { body: multiget([event], '<C:calendar-data/>') }),
    account.ask('GET', event),
  ])
}

function ageless(answers: readonly DavAnswer[]): readonly unknown[] {
  return answers.map(({ status, text }) => ({ status, text }))
}

const locks = allOr(['begin immediate', 'begin exclusive'], (lock) => lock.endsWith('exclusive'))

describe.each(locks)('while the database is locked by %s', (lock) => {
  it('answers stay the same, and the change shows afterwards', async ({
    account,
    clock,
    company,
    other,
  }) => {
    const held = await syncAll(account)
    const before = await requestsOf(account, held)
    expect(before.map(({ status }) => status)).toEqual([207, 207, 207, 207, 207, 207, 207, 200])
    await clock.advance(3_600_000)
    company.records.leaves['usr_ada'] = [leave('lv_ada2', '2026-02-10')]
    await other.lock(lock)
    const asked = await passUntil(requestsOf(account, held), async () => {
      await untilNothingIsAsked(company)
      await clock.advance(deadlineMs)
    })
    expect(ageless(asked)).toEqual(ageless(before))
    await other.release()
    const after = readMultistatus(
      await account.ask('REPORT', account.calendar, { body: sync(held.token) }),
    )
    // The leave is gone, and the shift that it hid is shown.
    expect(after.responses.map(({ status }) => status)).toEqual([undefined, 404])
    expect(after.syncToken).not.toBe(held.token)
  })

  it('a calendar that was never read is 503, so that clients keep their password', async ({
    account,
    clock,
    company,
    other,
  }) => {
    await other.lock(lock)
    const asked = await passUntil(
      Promise.all([
        account.ask('REPORT', account.calendar, { body: sync('') }),
        account.ask('GET', `${account.calendar}00000000000000.ics`),
      ]),
      async () => {
        await untilNothingIsAsked(company)
        await clock.advance(deadlineMs)
      },
    )
    for (const { status, headers } of asked) {
      expect([status, headers['retry-after']]).toEqual([503, expect.stringMatching(/^\d+$/)])
      expect(headers['www-authenticate']).toBeUndefined()
    }
    await other.release()
  })
})

it('while the Read API fails, answers stay the same and say how old they are', async ({
  account,
  clock,
  company,
}) => {
  const held = await syncAll(account)
  const before = await requestsOf(account, held)
  company.faults.set('/', 500)
  await clock.advance(3_600_000)
  // Each request waits until the refresh has failed.
  const failing = await passUntil(requestsOf(account, held), () => clock.advance(1000))
  expect(ageless(failing)).toEqual(ageless(before))
  for (const { headers } of failing.slice(2)) {
    expect(Number(headers['x-feed-stale-seconds'])).toBeGreaterThanOrEqual(3600)
  }
})

it('while the Read API fails, a calendar that was never read is 503', async ({
  account,
  clock,
  company,
}) => {
  company.faults.set('/', 500)
  const { calendar } = account
  const asked = await passUntil(
    Promise.all([
      account.ask('PROPFIND', calendar, { headers: { Depth: '0' } }),
      account.ask('REPORT', calendar, { body: sync('') }),
    ]),
    () => clock.advance(1000),
  )
  for (const { status, headers } of asked) {
    expect([status, headers['retry-after']]).toEqual([503, expect.stringMatching(/^\d+$/)])
  }
})
