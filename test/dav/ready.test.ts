/* The polls that accounts send all day have ready answers: those of the routes, until anything changes. */
import { describe, expect } from 'vitest'

import { it as base } from '../support/dav/account-fixture.ts'
import { type DavAnswer, propfind, sync, tokenOf } from '../support/dav/dav-client.ts'

const ctag = propfind('<displayname/>', '<sync-token/>', '<CS:getctag/>')

interface PollAnswer extends DavAnswer {
  readonly isReady: boolean
}

const it = base
  .extend('settings', { FEED_FRESH_SECONDS: '86400' })
  .extend('ask', ({ account, logged }) => {
    return async (method: string, body: string, suffix = ''): Promise<PollAnswer> => {
      const question = { body, headers: { Depth: '0' } }
      const answer = await account.ask(method, account.calendar + suffix, question)
      const line = logged.findLast(({ event }) => event === 'polled')
      const isReady = line !== undefined && 'ready' in line.data && line.data.ready === true
      return { ...answer, isReady }
    }
  })

describe('a ready answer to an account', () => {
  it('equals that of the routes in every header and byte', async ({ account, ask }) => {
    const token = await tokenOf(account)
    for (const [method, body] of [
      ['PROPFIND', ctag],
      ['REPORT', sync(token)],
    ] as const) {
      const ready = await ask(method, body)
      expect(ready).toMatchObject({ status: 207, isReady: true })
      // Only the routes take an address with a query.
      const routed = await ask(method, body, '?')
      const { date: _, ...headers } = ready.headers
      expect(routed).toMatchObject({ headers, text: ready.text })
      expect(Object.keys(routed.headers).toSorted()).toEqual(Object.keys(ready.headers).toSorted())
    }
  })

  it('changes with the name of the calendar', async ({ account, ask, feed, bridge }) => {
    const before = await tokenOf(account)
    await ask('PROPFIND', ctag)
    await bridge.api('PATCH', `/api/feeds/${feed.id}`, { name: 'Another name' })
    const after = await ask('PROPFIND', ctag)
    expect(after.text).toContain('<d:displayname>Another name</d:displayname>')
    expect(await tokenOf(account)).not.toBe(before)
    // No event has changed.
    expect((await ask('REPORT', sync(before))).text).not.toContain('<d:response>')
  })

  it('ends with the link', async ({ account, ask, feed, bridge }) => {
    await tokenOf(account)
    expect((await ask('PROPFIND', ctag)).isReady).toBe(true)
    await bridge.api('DELETE', `/api/feeds/${feed.id}/links/default`)
    expect((await ask('PROPFIND', ctag)).status).toBe(401)
  })
})
