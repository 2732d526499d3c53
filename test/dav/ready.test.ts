/* The poll that accounts send all day is answered ready, as the routes would answer it, and whatever changes shows at once. */
import { describe, expect } from 'vitest'

import { calendarUrl } from '../support/bridge/bridge.ts'
import { it as base } from '../support/bridge/fixtures.ts'

interface DavAnswer {
  readonly status: number
  readonly fields: readonly (readonly [string, string])[]
  readonly text: string
  readonly isReady: boolean
}

const ctag =
  '<propfind xmlns="DAV:"><prop><displayname/><sync-token/><getctag xmlns="http://calendarserver.org/ns/"/></prop></propfind>'

function syncSince(token: string): string {
  return `<sync-collection xmlns="DAV:"><sync-token>${token}</sync-token><sync-level>1</sync-level><prop><getetag/></prop></sync-collection>`
}

const it = base
  .extend('settings', { FEED_FRESH_SECONDS: '86400' })
  .extend('feed', ({ bridge }) => bridge.createFeed({ userIds: ['usr_ada'] }))
  .extend('ask', ({ feed, logged }) => {
    const address = new URL(calendarUrl(feed))
    const secret = address.pathname.split('/')[2]
    return async (method: string, body: string, query = ''): Promise<DavAnswer> => {
      const response = await fetch(new URL(`/dav/calendars/${feed.id}/${query}`, address), {
        method,
        headers: {
          Authorization: `Basic ${Buffer.from(`ada:${secret}`).toString('base64')}`,
          Depth: '0',
        },
        body,
      })
      const text = await response.text()
      const line = logged.findLast(({ event }) => event === 'polled')
      const fields = [...response.headers].filter(([name]) => name !== 'date')
      const isReady = line !== undefined && 'ready' in line.data && line.data.ready === true
      return { status: response.status, fields, text, isReady }
    }
  })
  .extend('token', ({ ask }) => async () => {
    const { text } = await ask('PROPFIND', ctag)
    return /sync-token>([^<]+)</.exec(text)?.[1] ?? ''
  })

describe('a ready answer to an account', () => {
  it('equals that of the routes in every header and byte', async ({ ask, token }) => {
    const current = await token()
    expect(current).not.toBe('')
    for (const [method, body] of [
      ['PROPFIND', ctag],
      ['REPORT', syncSince(current)],
    ] as const) {
      const ready = await ask(method, body)
      expect(ready).toMatchObject({ status: 207, isReady: true })
      // The routes alone take an address with a query; they send what lies ready, too.
      const routed = await ask(method, body, '?')
      expect(routed.fields.toSorted()).toEqual(ready.fields.toSorted())
      expect(routed.text).toBe(ready.text)
    }
  })

  it('changes with the name of the calendar', async ({ ask, token, feed, bridge }) => {
    const before = await token()
    await ask('PROPFIND', ctag)
    await bridge.api('PATCH', `/api/feeds/${feed.id}`, { name: 'Another name' })
    const after = await ask('PROPFIND', ctag)
    expect(after.text).toContain('<d:displayname>Another name</d:displayname>')
    expect(await token()).not.toBe(before)
    // No event has changed.
    expect((await ask('REPORT', syncSince(before))).text).not.toContain('<d:response>')
  })

  it('is none once the link has ended', async ({ ask, token, feed, bridge }) => {
    await token()
    expect((await ask('PROPFIND', ctag)).isReady).toBe(true)
    await bridge.api('DELETE', `/api/feeds/${feed.id}/links/default`)
    expect((await ask('PROPFIND', ctag)).status).toBe(401)
  })
})
