/* Requests of clients that cannot run here: each answer has what the client needs to continue. */
import { describe, expect } from 'vitest'

import { type ClientRequest, requests } from '../fixtures/dav/requests.ts'
import { it as apiIt } from '../support/bridge/test-api.ts'
import {
  accountOf,
  conditionOf,
  type DavAccount,
  type DavAnswer,
  query,
  readMultistatus,
} from '../support/dav/dav-client.ts'

interface Known {
  readonly account: DavAccount
  /** The path of one event. */
  readonly event: string
}

const it = apiIt.extend('known', { scope: 'file' }, async ({ api }): Promise<Known> => {
  const account = accountOf(await api.ada(), api.bridge.url)
  const listed = await account.ask('REPORT', account.calendar, {
    body: query('<C:time-range start="20260101T000000Z"/>'),
    headers: { Depth: '1' },
  })
  return { account, event: readMultistatus(listed).responses[0]!.href }
})

function filled(text: string, { account, event }: Known, token: string): string {
  return text
    .replace('{calendar}', account.calendar)
    .replace('{event}', event)
    .replace('{token}', token)
}

function send(
  { method, path, headers, body }: ClientRequest,
  known: Known,
  token = '',
): Promise<DavAnswer> {
  const question = { headers, body: filled(body, known, token), user: 'ada@example.com' }
  return known.account.ask(method, filled(path, known, token), question)
}

describe.each(Object.entries(requests))('%s', (_name, ofClient) => {
  it.for(ofClient.map((request) => [`${request.method} ${request.path}`, request] as const))(
    '%s',
    async ([, request], { known }) => {
      const { needs, headers } = request
      const answer = await send(request, known)
      expect(answer.status).toBe(needs.status)
      expect(answer.headers).toMatchObject(needs.headers ?? {})
      if (needs.condition !== undefined) expect(conditionOf(answer)).toBe(needs.condition)
      if (needs.status !== 207) return
      const { responses } = readMultistatus(answer)
      for (const [path, names] of Object.entries(needs.found ?? {})) {
        const { properties } = responses.find(({ href }) => href === filled(path, known, ''))!
        expect([...properties[200]!.keys()]).toEqual(expect.arrayContaining([...names]))
        const isMinimal = headers['Prefer'] === 'return=minimal'
        if (isMinimal) expect(properties).not.toHaveProperty('404')
      }
    },
  )

  it('is told that nothing has changed since its last sync', async ({ known }) => {
    const syncing = ofClient.find(({ body }) => body.includes('{token}'))!
    const first = readMultistatus(await send(syncing, known))
    const second = readMultistatus(await send(syncing, known, first.syncToken))
    expect(first.responses.length).toBeGreaterThan(0)
    expect(second).toEqual({ responses: [], syncToken: first.syncToken })
  })

  it('is asked for the password if it sends none', async ({ known }) => {
    const first = ofClient.find(({ needs }) => needs.status === 207)!
    const path = filled(first.path, known, '')
    const answer = await known.account.ask(first.method, path, { ...first, password: null })
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([
      401,
      'Basic realm="Calendars", charset="UTF-8"',
    ])
  })
})
