import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'

import { startBridge, type TestBridge } from '../../support/bridge/bridge.ts'

const calendar = z.object({
  name: z.string(),
  timezone: z.string(),
  events: z.array(z.object({ kind: z.string(), title: z.string(), busy: z.string() })),
})

let bridge: TestBridge
let id: string

beforeAll(async () => {
  bridge = await startBridge()
  const made = await bridge.api('POST', '/api/feeds', { userIds: ['usr_ada'] })
  id = z.object({ id: z.string() }).parse(await made.json()).id
})

afterAll(() => bridge.close())

async function preview(query = ''): Promise<z.output<typeof calendar>> {
  const answer = await bridge.api('GET', `/api/feeds/${id}/preview${query}`)
  expect(answer.status).toBe(200)
  return calendar.parse(await answer.json())
}

it('shows the calendar without a link', async () => {
  const { name, events } = await preview()
  expect(name).toBe("Ada's work calendar")
  expect(new Set(events.map(({ kind }) => kind))).toContain('shift')
})

it('shows what a colleague would see: that Ada is away, and nothing else', async () => {
  const { events } = await preview('?as=others')
  expect(events.length).toBeGreaterThan(0)
  for (const { kind, title, busy } of events) {
    expect([kind, busy]).toEqual(['leave', 'FREE'])
    expect(title).toMatch(/^Ada \p{L}+: Away( \(half day\))?$/u)
  }
})

it('says what is wrong', async () => {
  const asNobody = await bridge.api('GET', `/api/feeds/${id}/preview?as=nobody`)
  expect([asNobody.status, await asNobody.text()]).toEqual([400, expect.stringContaining('/as')])
  const ofNone = await bridge.api('GET', '/api/feeds/feed_none/preview')
  expect(ofNone.status).toBe(404)
})

it('refuses a calendar that has ended', async () => {
  const made = await bridge.api('POST', '/api/feeds', { userIds: ['usr_bob'] })
  const other = z.object({ id: z.string() }).parse(await made.json())
  await bridge.api('DELETE', `/api/feeds/${other.id}`)
  const answer = await bridge.api('GET', `/api/feeds/${other.id}/preview`)
  expect(answer.status).toBe(409)
})
