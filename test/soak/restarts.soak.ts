/* Stops and restarts under 200 polls a second: every poll that was accepted is answered, and none wrongly. */
import { mkdtemp } from 'node:fs/promises'
import { Agent, get, type IncomingMessage } from 'node:http'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'

import { expect, inject, it as bareIt } from 'vitest'

import { type BridgeNode, startNode } from '../support/bridge/bridge-node.ts'
import { adminToken, calendarUrl, createFeedAt, readsFrom } from '../support/bridge/bridge.ts'
import { startCompanyServer } from '../support/company/company-server.ts'
import { ada, bob, leave, timesheet } from '../support/company/people.ts'
import { startPostgres } from '../support/database/postgres.ts'
import { freePort } from '../support/web/free-port.ts'

const pollsPerSecond = 200
const feedsEach = 10
/** Some polls find their copies due, others do not. */
const freshSeconds = 2
/** Before and after each event. */
const steadyMs = 3000

/** What became of polls: a status with "wrong" if its bytes are not the calendar's, or why there is none. */
type Outcomes = Record<string, number>

const it = bareIt
  .extend('folder', { scope: 'file' }, () =>
    mkdtemp(path.join(inject('temporaryFolder'), 'restarts-')),
  )
  .extend('company', { scope: 'file' }, async ({ folder: _ }, { onCleanup }) => {
    const company = await startCompanyServer()
    onCleanup(() => company.close())
    const today = new Date().toISOString().slice(0, 10)
    company.records.users = [ada, bob]
    company.records.leaves = { usr_ada: [leave('lv_1', today)], usr_bob: [leave('lv_2', today)] }
    company.records.timesheets = [timesheet('clqada', 'usr_ada', today, today)]
    return company
  })
  .extend('postgres', { scope: 'file' }, async ({ folder: _ }, { onCleanup }) => {
    const postgres = await startPostgres()
    onCleanup(() => postgres.stop())
    return postgres
  })
  .extend('environment', { scope: 'file' }, ({ company, postgres }) => ({
    ...readsFrom(company.url),
    ADMIN_TOKEN: adminToken,
    DATABASE_URL: postgres.url,
    FEED_FRESH_SECONDS: String(freshSeconds),
    FEED_POLLS_PER_MINUTE: '1000000',
    PUBLIC_URL: 'http://127.0.0.1:8080',
  }))
  .extend('start', { scope: 'file' }, async ({ environment, folder }, { onCleanup }) => {
    const started: BridgeNode[] = []
    onCleanup(async () => {
      for (const node of started) await node.stop()
    })
    return async (port: number, more: Readonly<Record<string, string>> = {}) => {
      const node = await startNode(folder, { ...environment, ...more, PORT: String(port) })
      started.push(node)
      return node
    }
  })

/** Makes feeds and returns each path with the bytes that it answers with. */
async function createFeeds(port: number): Promise<ReadonlyMap<string, string>> {
  const calendars = new Map<string, string>()
  for (let number = 0; number < feedsEach; number += 1) {
    for (const userId of ['usr_ada', 'usr_bob']) {
      const bridge = `http://127.0.0.1:${port}`
      const feed = { userIds: [userId], name: `Calendar ${number}` }
      const { pathname } = new URL(calendarUrl(await createFeedAt(bridge, feed)))
      const calendar = await fetch(bridge + pathname)
      expect(calendar.status).toBe(200)
      calendars.set(pathname, await calendar.text())
    }
  }
  return calendars
}

/** Polls the nodes in turn over kept connections until told to stop. */
function startPolls(
  ports: readonly number[],
  calendars: ReadonlyMap<string, string>,
): () => Promise<Outcomes> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const outcomes: Outcomes = {}
  const polls: Promise<void>[] = []
  const all = [...calendars]
  const poll = async (number: number): Promise<void> => {
    const [pathname = '', calendar] = all[number % all.length] ?? []
    const port = ports[number % ports.length]
    const outcome = await ask(agent, `http://127.0.0.1:${port}${pathname}`, calendar)
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
  }
  const begun = performance.now()
  const timer = setInterval(() => {
    const due = ((performance.now() - begun) * pollsPerSecond) / 1000
    while (polls.length < due) polls.push(poll(polls.length))
  }, 5)
  return async () => {
    clearInterval(timer)
    await Promise.all(polls)
    agent.destroy()
    return outcomes
  }
}

function ask(agent: Agent, address: string, calendar: string | undefined): Promise<string> {
  return new Promise((resolve) => {
    const request = get(address, { agent }, (response) => {
      text(response).then(
        (body) => resolve(judge(response, body, calendar)),
        () => resolve('cut off'),
      )
    })
    request.on('error', (error: NodeJS.ErrnoException) => {
      // Nobody accepted it.
      resolve(error.code === 'ECONNREFUSED' ? 'refused' : `unanswered: ${error.code}`)
    })
  })
}

function judge(response: IncomingMessage, body: string, calendar: string | undefined): string {
  const { statusCode, headers } = response
  if (statusCode === 200) return body === calendar ? '200' : '200, wrong'
  const isRefusal = statusCode === 503 && headers['retry-after'] !== undefined
  return isRefusal ? '503' : `${statusCode}, wrong`
}

const right = new Set(['200', '503', 'refused'])

/** None unanswered, none wrong; prints the counts. */
function expectRight(what: string, outcomes: Outcomes): void {
  process.stderr.write(`${what}: ${JSON.stringify(outcomes)}\n`)
  expect(Object.keys(outcomes).filter((outcome) => !right.has(outcome))).toEqual([])
  expect(outcomes['200']).toBeGreaterThan(pollsPerSecond)
}

it('one node gets SIGTERM and starts again', async ({ start }) => {
  const port = await freePort()
  const node = await start(port)
  const stopPolls = startPolls([port], await createFeeds(port))
  await pause(steadyMs)
  await node.stop()
  await start(port)
  await pause(steadyMs)
  expectRight('SIGTERM', await stopPolls())
})

it('two nodes restart one after the other', async ({ start }) => {
  const ports = [await freePort(), await freePort()]
  const nodes = await Promise.all(ports.map((port) => start(port)))
  const stopPolls = startPolls(ports, await createFeeds(ports[0]!))
  for (const [at, port] of ports.entries()) {
    await pause(steadyMs)
    await nodes[at]?.stop()
    await start(port)
  }
  await pause(steadyMs)
  expectRight('rolling restart', await stopPolls())
})

it('one of two workers gets SIGTERM', async ({ start }) => {
  const port = await freePort()
  const node = await start(port, { WORKERS: '2' })
  const stopPolls = startPolls([port], await createFeeds(port))
  await pause(steadyMs)
  node.endWorker()
  await pause(steadyMs)
  const outcomes = await stopPolls()
  expectRight('worker', outcomes)
  expect(outcomes['refused']).toBeUndefined()
})

it('PostgreSQL restarts below two nodes', async ({ start, postgres }) => {
  const ports = [await freePort(), await freePort()]
  await Promise.all(ports.map((port) => start(port)))
  const stopPolls = startPolls(ports, await createFeeds(ports[0]!))
  await pause(steadyMs)
  await postgres.restart()
  await pause(steadyMs)
  const outcomes = await stopPolls()
  expectRight('PostgreSQL restart', outcomes)
  expect(outcomes['refused']).toBeUndefined()
})
