/* Fuzz: mangled requests never cause a 5xx or an answer that is not well-formed. */
import { connect } from 'node:net'

import fc from 'fast-check'
import { describe, expect, inject } from 'vitest'

import { it as apiIt } from '../support/bridge/test-api.ts'
import { accountOf, query, readMultistatus, sync } from '../support/dav/dav-client.ts'
import { type Answer, exchange } from '../support/dav/exchange.ts'
import { type KnownAccount, mangledRequest } from '../support/dav/mangled-requests.ts'

const requests = inject('isThorough') ? 5000 : 400
const atOnce = 16

const it = apiIt.extend('known', { scope: 'file' }, async ({ api }): Promise<KnownAccount> => {
  const account = accountOf(await api.ada(), api.bridge.url)
  const ask = (body: string) => account.ask('REPORT', account.calendar, { body })
  const [event] = readMultistatus(await ask(query(''))).responses
  const { syncToken } = readMultistatus(await ask(sync('')))
  return { ...account, event: event!.href, syncToken: syncToken! }
})

/** What is wrong with an answer; undefined if nothing is. */
function wrongIn({ status = 400, head, body }: Answer): string | undefined {
  if (status >= 500) return `${head}\n${body}`
  if (status !== 207 || body === '') return undefined
  try {
    const type = /^content-type: (.*)$/im.exec(head)?.[1]
    readMultistatus({ status, headers: { 'content-type': type }, text: body })
    return undefined
  } catch (error) {
    return `${String(error)}\n${body.slice(0, 2000)}`
  }
}

describe('a mangled request', () => {
  it('is refused, or answered with XML that a strict parser reads', async ({ api, known }) => {
    const seed = inject('propertySeed')
    const all = fc.sample(mangledRequest(known, 4096), { numRuns: requests, seed }).values()
    const { hostname, port } = new URL(api.bridge.url)
    const wrong: string[] = []
    const seen = new Map<number | undefined, number>()
    const sendAll = async (): Promise<void> => {
      for (const request of all) {
        const answer = await exchange(connect({ host: hostname, port: Number(port) }), request)
        seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1)
        const fault = wrongIn(answer)
        if (fault !== undefined)
          wrong.push(`${request.bytes.toString('latin1').slice(0, 2000)}\n${fault}`)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, sendAll))
    expect(wrong).toEqual([])
    // The requests must get past more than one check.
    for (const status of [207, 400, 403, 415]) expect(seen.get(status)).toBeGreaterThan(5)
  })
})
