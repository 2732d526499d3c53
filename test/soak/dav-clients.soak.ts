/* Real CalDAV clients, each with an account at its own bridge, hold what the calendar says after each change. */
import { mkdtemp } from 'node:fs/promises'
import path from 'node:path'

import { describe, expect, inject, it as bareIt } from 'vitest'

import { startNode } from '../support/bridge/bridge-node.ts'
import { adminToken, createFeedAt, type FeedAnswer, readsFrom } from '../support/bridge/bridge.ts'
import { startCompanyServer } from '../support/company/company-server.ts'
import { ada, leave, task } from '../support/company/people.ts'
import { migratedSqliteDatabase } from '../support/database/databases.ts'
import { startAkonadi, startEvolution, startPythonCaldav } from '../support/dav/python-clients.ts'
import { type RealClient, type HeldEvent, heldEvents } from '../support/dav/real-client.ts'
import { eventsFetched, startRecordingProxy } from '../support/dav/recording-proxy.ts'
import { startThunderbird } from '../support/dav/thunderbird.ts'
import { startTsdav } from '../support/dav/tsdav.ts'
import { startVdirsyncer } from '../support/dav/vdirsyncer.ts'
import { freePort } from '../support/web/free-port.ts'

const reading = new Set(['OPTIONS', 'GET', 'HEAD', 'PROPFIND', 'REPORT'])
const clients: readonly (readonly [name: string, start: () => RealClient | Promise<RealClient>])[] =
  [
    ['tsdav', startTsdav],
    ['vdirsyncer', startVdirsyncer],
    ['python-caldav', startPythonCaldav],
    ['Evolution', startEvolution],
    ['KDE', startAkonadi],
    ['Thunderbird', startThunderbird],
  ]

const it = bareIt
  .extend('leaves', () => [1, 2, 3, 4].map((number) => leave(`lv_${number}`, dayIn(number * 7))))
  .extend('company', async ({ leaves }, { onCleanup }) => {
    const company = await startCompanyServer()
    onCleanup(() => company.close())
    company.records.users = [ada]
    company.records.leaves = { usr_ada: leaves }
    company.records.tasks = { prj_web: [task('tsk_ada', dayIn(3), [ada])] }
    return company
  })
  .extend('site', async ({ company }, { onCleanup }) => {
    const folder = await mkdtemp(path.join(inject('temporaryFolder'), 'dav-'))
    const port = await freePort()
    const proxy = await startRecordingProxy(port)
    const node = await startNode(folder, {
      ...readsFrom(company.url),
      ADMIN_TOKEN: adminToken,
      DATABASE_URL: migratedSqliteDatabase(),
      PORT: String(port),
      PUBLIC_URL: proxy.url,
      WORKFORCE_PROJECTS: 'prj_web',
      // Each sync asks the Read API.
      FEED_FRESH_SECONDS: '0',
      FEED_POLLS_PER_MINUTE: '1000000',
    })
    onCleanup(async () => {
      proxy.close()
      await node.stop()
    })
    return { proxy, feed: await createFeed(`http://127.0.0.1:${port}`) }
  })

function dayIn(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
}

describe.each(clients)('%s', (_name, start) => {
  it('holds what the calendar says, and asks for a password once its link has ended', async ({
    leaves,
    company: { faults },
    site: { proxy, feed },
    onTestFinished,
  }) => {
    const client = await start()
    onTestFinished(() => client.close())
    const held = async (): Promise<readonly HeldEvent[]> => heldEvents(await client.held())
    /** Synchronises until the client holds these events; returns how many it fetched. */
    const fetchedUntil = async (expected: readonly HeldEvent[]): Promise<number> => {
      const before = proxy.exchanges.length
      await expect.poll(async () => [await client.sync(), await held()]).toEqual(['done', expected])
      return eventsFetched(proxy.exchanges.slice(before))
    }

    const isRefused = async (kept: readonly HeldEvent[]): Promise<void> => {
      await expect.poll(async () => [await client.sync(), await held()]).toEqual(['refused', kept])
    }

    await client.add({ url: proxy.url, user: 'ada@example.com', password: feed.secret() })
    const first = await feed.events()
    expect(first).toHaveLength(5)
    await expect.poll(held).toEqual(first)
    expect(eventsFetched(proxy.exchanges)).toBe(5)
    expect(await fetchedUntil(first)).toBe(0)

    leaves[1] = leave('lv_2', dayIn(15), { leaveType: { name: 'Überstunden <&> "frei"' } })
    const changed = await feed.events()
    expect(changed.map(({ sequence }) => sequence)).toEqual([0, 1, 0, 0, 0])
    expect(await fetchedUntil(changed)).toBe(1)

    leaves.splice(2, 1)
    const fewer = await feed.events()
    expect(fewer).toHaveLength(4)
    expect(await fetchedUntil(fewer)).toBe(0)

    leaves.push(leave('lv_5', dayIn(40)))
    const more = await feed.events()
    expect(more).toHaveLength(5)
    expect(await fetchedUntil(more)).toBe(1)

    faults.set('/', 500)
    await client.sync()
    expect(await fetchedUntil(more)).toBe(0)
    faults.clear()
    // The bridge does not ask a failing Read API again at once.
    leaves[0] = leave('lv_1', dayIn(8))
    await expect.poll(() => feed.events()).not.toEqual(more)
    const healed = await feed.events()
    expect(await fetchedUntil(healed)).toBe(1)

    await feed.rotate()
    await isRefused(healed)
    await client.usePassword(feed.secret())
    leaves[0] = leave('lv_1', dayIn(9))
    expect(await fetchedUntil(await feed.events())).toBe(1)

    const last = await held()
    await feed.end()
    await isRefused(last)
    expect(proxy.exchanges.filter(({ method }) => !reading.has(method))).toEqual([])
  })
})

interface Feed {
  /** The password of its account. */
  secret(): string
  /** The events of its `.ics`. */
  events(): Promise<readonly HeldEvent[]>
  rotate(): Promise<void>
  end(): Promise<void>
}

/** Uses the address behind the proxy, which records only the clients. */
async function createFeed(address: string): Promise<Feed> {
  const { id, links } = await createFeedAt(address, { userIds: ['usr_ada'] })
  let { label, url } = links[0]!
  const ask = async (method: string, part: string): Promise<Response> => {
    const answer = await fetch(new URL(`/api/feeds/${id}/${part}`, address), {
      method,
      headers: { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' },
      ...(method === 'POST' ? { body: JSON.stringify({ label }) } : {}),
    })
    if (!answer.ok) throw new Error(await answer.text())
    return answer
  }
  return {
    secret: () => /cfb_[\w-]{43}/.exec(url)![0],
    events: async () => {
      const answer = await fetch(new URL(new URL(url).pathname, address))
      expect(answer.status).toBe(200)
      return heldEvents([await answer.text()])
    },
    rotate: async () => {
      const answer = await ask('POST', 'rotations')
      ;({ label, url } = (await answer.json()) as FeedAnswer['links'][0])
    },
    end: async () => void (await ask('DELETE', `links/${encodeURIComponent(label)}`)),
  }
}
