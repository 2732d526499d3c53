/* Several processes behind one port are one server: what one of them knows, all answer, and one that ends is replaced. */
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'

import { expect, inject, it as bareIt } from 'vitest'

import { sameSignalMs } from '../src/process/ending.ts'
import { adminToken, calendarUrl, createFeedAt, readsFrom } from './support/bridge/bridge.ts'
import { childrenOf } from './support/bridge/process-tree.ts'
import { runProgram, spawnProgram } from './support/bridge/program.ts'
import { allOr } from './support/bridge/thorough.ts'
import { type CompanyServer, startCompanyServer } from './support/company/company-server.ts'
import { ada, timesheet } from './support/company/people.ts'
import { migratedName } from './support/database/migrated.ts'
import { createTestDatabase } from './support/database/postgres.ts'

interface LogLine {
  readonly msg: string
  readonly worker?: number
}

interface Server {
  readonly url: string
  readonly pid: number
  readonly lines: readonly LogLine[]
  kill(signal: NodeJS.Signals): void
  readonly exited: Promise<unknown>
  /** Resolves with the next line of that event that is logged from now on. */
  logs(event: string): Promise<LogLine>
}

const it = bareIt
  .extend('folder', { scope: 'file' }, () =>
    mkdtemp(path.join(inject('temporaryFolder'), 'workers-')),
  )
  .extend('company', { scope: 'file' }, async ({ folder: _ }, { onCleanup }) => {
    const company = await startCompanyServer()
    onCleanup(() => company.close())
    const today = new Date().toISOString().slice(0, 10)
    company.records.users = [ada]
    company.records.timesheets = [timesheet('clqada', 'usr_ada', today, today)]
    return company
  })
  .extend('environment', { scope: 'file' }, async ({ company }) => ({
    ...readsFrom(company.url),
    ADMIN_TOKEN: adminToken,
    DATABASE_URL: await createTestDatabase(migratedName),
    FEED_FRESH_SECONDS: '0',
    PORT: '0',
    WORKERS: '2',
  }))
  .extend('start', { scope: 'file' }, ({ folder, environment }, { onCleanup }) => {
    const ends: (() => Promise<unknown>)[] = []
    onCleanup(async () => {
      for (const end of ends) await end()
    })
    return async (): Promise<Server> => {
      const child = spawnProgram(['serve', '--json'], { folder, environment })
      const exited = once(child, 'exit')
      ends.push(() => {
        child.kill('SIGKILL')
        return exited
      })
      const lines: LogLine[] = []
      const logged = createInterface(child.stderr).on('line', (line) => {
        lines.push(JSON.parse(line))
      })
      const [started] = await once(createInterface(child.stdout), 'line')
      const { url }: { url: string } = JSON.parse(String(started))
      await expect.poll(() => lines.filter(({ msg }) => msg === 'worker_serves')).toHaveLength(2)
      return {
        url,
        lines,
        pid: Number(child.pid),
        kill: (signal) => child.kill(signal),
        exited,
        logs: async (event) => {
          for (;;) {
            await once(logged, 'line')
            const line = lines.at(-1)
            if (line?.msg === event) return line
          }
        },
      }
    }
  })
  .extend('server', { scope: 'file' }, ({ start }) => start())

/** The address of a new calendar. */
async function create(url: string): Promise<string> {
  return calendarUrl(await createFeedAt(url, { userIds: ['usr_ada'] }))
}

/** Over a connection of its own, so that the workers take turns. */
function ask(address: string): Promise<Response> {
  return fetch(address, { headers: { Authorization: `Bearer ${adminToken}`, Connection: 'close' } })
}

/** A poll that waits for the Read API until `company.release()`. */
async function holdPoll(
  company: CompanyServer,
  address: string,
): Promise<{ readonly answer: Promise<Response> }> {
  company.hold()
  company.requests.length = 0
  const answer = ask(address)
  await expect.poll(() => company.requests).toContainEqual(expect.stringContaining('timesheets'))
  return { answer }
}

it('all workers serve the same bytes, and the metrics are the sum of all', async ({ server }) => {
  const address = await create(server.url)
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => ask(address).then((response) => response.text())),
  )
  expect(new Set(answers).size).toBe(1)
  for (let times = 0; times < 4; times += 1) {
    const text = await (await ask(`${server.url}/metrics`)).text()
    expect(text).toMatch(
      /^calendar_feed_bridge_answers_total\{route="calendar",status="200"\} 20$/m,
    )
  }
})

it('a worker that ends is replaced, and no poll fails meanwhile', async ({ server }) => {
  const address = await create(server.url)
  const pids = childrenOf(server.pid)
  expect(pids).toHaveLength(2)
  const ends = [
    [pids[0], 'SIGTERM'],
    [pids[1], 'SIGKILL'],
  ] as const
  for (const [killed, signal] of allOr(ends, ([, one]) => one === 'SIGKILL')) {
    const ended = server.logs('worker_ended')
    process.kill(killed!, signal)
    expect(await ended).toMatchObject(signal === 'SIGTERM' ? { code: 0 } : { signal })
    const serves = server.logs('worker_serves')
    const statuses = await Promise.all(
      Array.from({ length: 10 }, () => ask(address).then(({ status }) => status)),
    )
    expect(statuses).toEqual(Array(10).fill(200))
    await serves
  }
  expect(childrenOf(server.pid).filter((pid) => pids.includes(pid))).toHaveLength(
    inject('isThorough') ? 0 : 1,
  )
})

it.runIf(inject('isThorough'))(
  'a worker that hangs holds up nobody but who was passed to it, until it dies',
  async ({ server }) => {
    const [pid] = childrenOf(server.pid)
    process.kill(Number(pid), 'SIGSTOP')
    let answered = 0
    const outcomes = Array.from({ length: 13 }, async () => {
      const { status } = await ask(`${server.url}/metrics`)
      answered += 1
      return status
    })
    // Node warns, in no line of the log, where more than ten questions wait for one worker.
    await expect.poll(() => answered).toBe(12)
    const serves = server.logs('worker_serves')
    process.kill(Number(pid), 'SIGKILL')
    const settled = await Promise.allSettled(outcomes)
    expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(1)
    await serves
  },
)

it.runIf(inject('isThorough'))(
  'SIGTERM during the start ends it with 0',
  async ({ folder, environment, onTestFinished }) => {
    const child = spawnProgram(['serve'], { folder, environment })
    onTestFinished(() => void child.kill('SIGKILL'))
    const exited = once(child, 'exit')
    await expect.poll(() => childrenOf(child.pid)).not.toEqual([])
    child.kill('SIGTERM')
    expect(await exited).toEqual([0, null])
  },
)

it('SIGTERM ends all workers, which say so; a poll in progress is answered', async ({
  server,
  company,
}) => {
  const address = await create(server.url)
  expect((await ask(address)).status).toBe(200)
  const poll = await holdPoll(company, address)
  const ending = server.logs('ending')
  server.kill('SIGTERM')
  await ending
  company.release()
  expect((await poll.answer).status).toBe(200)
  expect(await server.exited).toEqual([0, null])
  const workersOf = (event: string): readonly (number | undefined)[] =>
    server.lines.filter(({ msg }) => msg === event).map(({ worker }) => worker)
  const lost = new Set(workersOf('worker_ended'))
  const serving = workersOf('worker_serves').filter((worker) => !lost.has(worker))
  expect(serving).toHaveLength(2)
  expect(workersOf('ended')).toEqual(expect.arrayContaining([...serving]))
})

it.runIf(inject('isThorough'))(
  'a second signal ends all processes at once',
  async ({ start, company }) => {
    const server = await start()
    const address = await create(server.url)
    const pids = childrenOf(server.pid)
    const poll = await holdPoll(company, address)
    const outcome = Promise.allSettled([poll.answer])
    const ending = server.logs('ending')
    server.kill('SIGTERM')
    await ending
    // One that hangs, too.
    process.kill(Number(pids[0]), 'SIGSTOP')
    await setTimeout(sameSignalMs)
    server.kill('SIGTERM')
    expect(await server.exited).toEqual([1, null])
    expect(await outcome).toMatchObject([{ status: 'rejected' }])
    await expect.poll(() => pids.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([])
  },
)

it('a start that fails says why once, and ends with 1', async ({ folder, environment }) => {
  const nowhere = { ...environment, DATABASE_URL: 'postgres://127.0.0.1:9/calendar' }
  const sqlite = { ...environment, DATABASE_URL: 'file:./bridge.sqlite' }
  const [unreachable, alone] = await Promise.all(
    [nowhere, sqlite].map((wrong) => runProgram(['serve'], { folder, environment: wrong })),
  )
  expect(unreachable).toEqual({
    code: 1,
    output: '',
    errors:
      'The database at 127.0.0.1:9 (DATABASE_URL) is not available (ECONNREFUSED): start PostgreSQL, or correct the address.\n',
  })
  expect(alone).toEqual({
    code: 1,
    output: '',
    errors:
      'WORKERS above 1 needs PostgreSQL: set DATABASE_URL=postgres://…, since a SQLite file serves one process.\n',
  })
})
