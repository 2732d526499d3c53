/* A bridge that reads Ada's and Bob's company, and its admin API as programs use it. */
import { it as bareIt } from 'vitest'

import { type CompanyServer, startCompanyServer } from '../company/company-server.ts'
import { twoPeople } from '../company/people.ts'
import type { ApiAnswer } from '../web/api-answer.ts'
import { adminToken, type FeedAnswer, readsFrom, startBridge, type TestBridge } from './bridge.ts'
import { createFakeClock, type FakeClock } from './fake-clock.ts'
import type { SettingChanges } from './fixtures.ts'

export interface TestApi {
  readonly company: CompanyServer
  readonly clock: FakeClock
  readonly bridge: TestBridge
  /** Any request with the admin token. */
  readonly send: (address: string, request: Sent) => Promise<Response>
  /** A table of feeds to be made. */
  readonly sendTable: (
    table: NonNullable<RequestInit['body']>,
    headers?: Headers,
  ) => Promise<Response>
  /** Status and JSON of an answer. */
  readonly ask: (method: string, address: string, body?: unknown) => Promise<[number, ApiAnswer]>
  /** Status and text of a calendar. */
  readonly poll: (url: string) => Promise<[number, string]>
  /** A new feed of Ada's. */
  readonly ada: () => Promise<FeedAnswer>
}

type Headers = Readonly<Record<string, string>>

interface Sent extends Omit<RequestInit, 'headers'> {
  readonly headers?: Headers
}

/** `it` with `api`, which the tests of a file share; `it.extend('settings', …)` gives one with other settings. */
export const it = bareIt
  .extend('clock', { scope: 'file' }, () => createFakeClock())
  .extend('settings', { scope: 'file' }, {} as SettingChanges)
  .extend(
    'api',
    { scope: 'file' },
    async ({ clock, settings }, { onCleanup }): Promise<TestApi> => {
      const company = await startCompanyServer()
      Object.assign(company.records, twoPeople())
      const environment = { ...readsFrom(company.url), WORKFORCE_PROJECTS: 'prj_web', ...settings }
      const bridge = await startBridge({ clock, environment })
      onCleanup(async () => {
        await bridge.close()
        await company.close()
      })
      return { company, clock, bridge, ...clientOf(bridge) }
    },
  )

function clientOf(bridge: TestBridge): Omit<TestApi, 'company' | 'clock' | 'bridge'> {
  const send: TestApi['send'] = (address, { headers = {}, ...request }) =>
    fetch(new URL(address, bridge.url), {
      ...request,
      headers: { Authorization: `Bearer ${adminToken}`, ...headers },
    })
  return {
    send,
    sendTable: (body, headers = {}) =>
      send('/api/feeds', {
        method: 'POST',
        body,
        headers: { 'Content-Type': 'text/csv', ...headers },
      }),
    ask: async (method, address, body) => {
      const response = await bridge.api(method, address, body)
      const text = await response.text()
      return [response.status, text === '' ? {} : JSON.parse(text)]
    },
    poll: async (url) => {
      const response = await fetch(url)
      return [response.status, await response.text()]
    },
    ada: () => bridge.createFeed({ userIds: ['usr_ada'] }),
  }
}
