/*
 * What accounts (CalDAV) cost. First the poll that clients repeat all day, compared with bare `node:http` that sends the same
 * bytes and headers: medians of alternating turns, with a commit between any two requests of one account. Then what one
 * changed record transfers, and what devices cost that ask every quarter of an hour, when their data is due. Smaller with
 * ACCOUNTS, shorter with TURN_MS and TURNS.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

import { afterAll, beforeAll, expect, it } from 'vitest'

import { type LoadGenerator, startLoad } from '../support/bench/load.ts'
import { noteRatio } from '../support/bench/measured-ratios.ts'
import { median } from '../support/bench/ratios.ts'
import type { BareAnswer } from '../support/bridge/bare-process.ts'
import {
  createFeeds,
  processorTimeOf,
  type Production,
  requestHead,
  startProduction,
} from '../support/bridge/production.ts'
import type { CompanyServer } from '../support/company/company-server.ts'
import { answerOf } from '../support/company/plain-answer.ts'
import { startSpeedCompany } from '../support/company/speed-company.ts'
import { openCommits } from '../support/database/commits.ts'
import { createSqliteDatabase } from '../support/database/databases.ts'
import { ask, end } from '../support/web/ask.ts'

const accountCount = Number(process.env['ACCOUNTS'] ?? 200)
const turnMs = Number(process.env['TURN_MS'] ?? 3000)
const turns = Number(process.env['TURNS'] ?? 7)
const connections = 32
const commitEveryMs = 50
const syncs = 200
const deviceCount = 10_000
const secondsBetween = 900

const ctagBody =
  '<?xml version="1.0" encoding="UTF-8"?><A:propfind xmlns:A="DAV:"><A:prop><B:getctag xmlns:B="http://calendarserver.org/ns/"/><A:sync-token/></A:prop></A:propfind>'

function syncBody(token: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><A:sync-collection xmlns:A="DAV:"><A:sync-token>${token}</A:sync-token><A:sync-level>1</A:sync-level><A:prop><A:getetag/><A:getcontenttype/></A:prop></A:sync-collection>`
}

function multigetBody(hrefs: readonly string[]): string {
  const named = hrefs.map((href) => `<A:href>${href}</A:href>`).join('')
  return `<?xml version="1.0" encoding="UTF-8"?><B:calendar-multiget xmlns:B="urn:ietf:params:xml:ns:caldav" xmlns:A="DAV:"><A:prop><A:getetag/><B:calendar-data/></A:prop>${named}</B:calendar-multiget>`
}

/** A link as the account of one device. */
interface Device {
  readonly collection: string
  readonly authorization: string
}

interface Asked {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

let company: CompanyServer
let warm: Production
let due: Production
let load: LoadGenerator
let bare: ChildProcess
let barePort: number
let commits: ReturnType<typeof openCommits>
let ofWarm: readonly Device[]
let ofDue: readonly Device[]

beforeAll(async () => {
  company = await startSpeedCompany(Array(accountCount).keys())
  const databaseUrl = createSqliteDatabase()
  warm = await startProduction({ company, databaseUrl })
  commits = openCommits(databaseUrl)
  ofWarm = await openDevices(warm, accountCount)
  const environment = { FEED_FRESH_SECONDS: '0' }
  due = await startProduction({ company, databaseUrl: createSqliteDatabase(), environment })
  ofDue = await openDevices(due, 1)
  load = startLoad()
  bare = fork(path.resolve(import.meta.dirname, '../support/bridge/bare-process.ts'))
  ;[barePort] = (await once(bare, 'message')) as [number]
}, 1_200_000)

afterAll(async () => {
  commits.close()
  await Promise.all([load.end(), end(bare), warm.close(), due.close()])
  await company.close()
})

it('the poll of an account without changes', { timeout: 1_200_000 }, async () => {
  const tokens: string[] = []
  for (const device of ofWarm) tokens.push(await tokenOf(warm, device))
  const sync = ofWarm.map((device, at) => reportOf(device, syncBody(tokens[at] ?? '')))
  await compareWithBare(
    'unchanged poll of an account, PROPFIND of ctag and sync-token: requests a second',
    ofWarm.map((device) => propfindOf(device)),
  )
  await compareWithBare('unchanged poll of an account, sync-collection: requests a second', sync)
})

it('one change among 350 events', async () => {
  const [device] = ofDue
  if (!device) throw new Error('There is a device.')
  const token = await tokenOf(due, device)
  const first = await textOf(due, device, reportOf(device, syncBody('')))
  expect(hrefsIn(first.text).length).toBeGreaterThan(300)
  const [task] = company.records.tasks['prj_0'] ?? []
  if (!task) throw new Error('There is a task.')
  Object.assign(task, { title: 'Another title' })
  const changed = await textOf(due, device, reportOf(device, syncBody(token)))
  const hrefs = hrefsIn(changed.text)
  expect(hrefs).toHaveLength(1)
  const data = await textOf(due, device, reportOf(device, multigetBody(hrefs)))
  expect(data.text).toContain('SUMMARY:Another title')
  noteRatio({
    measure: 'bytes that one change among 350 events transfers to an account',
    against: '3 KB',
    bound: { most: 1 },
    measured: (changed.bytes + data.bytes) / 3000,
    bench: 'accounts',
  })
})

it('devices that ask when their data is due', { timeout: 600_000 }, async () => {
  const [device] = ofDue
  if (!device) throw new Error('There is a device.')
  const token = await tokenOf(due, device)
  const costs: number[] = []
  for (let round = -3; round < 7; round += 1) {
    const before = await processorTimeOf(due.child)
    for (let sync = 0; sync < syncs; sync += 1) {
      await textOf(due, device, propfindOf(device))
      await textOf(due, device, reportOf(device, syncBody(token)))
    }
    if (round >= 0) costs.push(((await processorTimeOf(due.child)) - before) / syncs)
  }
  console.log(`A device that asks twice while its data is due costs ${median(costs).toFixed(0)} µs`)
  noteRatio({
    measure: `${deviceCount.toLocaleString('en')} accounts that ask every ${secondsBetween / 60} minutes while their data is due`,
    against: 'one core',
    bound: { most: 0.05 },
    measured: ((median(costs) / 2 / 1e6) * deviceCount) / secondsBetween,
    bench: 'accounts',
  })
})

async function openDevices(bridge: Production, count: number): Promise<readonly Device[]> {
  const paths = await createFeeds(bridge, count)
  const devices: Device[] = []
  for (const feed of paths) {
    const secret = feed.split('/')[2] ?? ''
    const authorization = `Basic ${Buffer.from(`device:${secret}`).toString('base64')}`
    const home = { collection: '/dav/calendars/', authorization }
    const { text } = await textOf(bridge, home, propfindOf(home, '1'))
    devices.push({ collection: hrefsIn(text).at(-1) ?? '', authorization })
  }
  return devices
}

function propfindOf({ authorization }: Device, depth = '0'): Asked {
  return {
    method: 'PROPFIND',
    headers: { ...headersOf(authorization), Depth: depth },
    body: ctagBody,
  }
}

function reportOf({ authorization }: Device, body: string): Asked {
  return { method: 'REPORT', headers: { ...headersOf(authorization), Depth: '0' }, body }
}

function headersOf(authorization: string): Readonly<Record<string, string>> {
  return { Authorization: authorization, 'Content-Type': 'text/xml', Prefer: 'return=minimal' }
}

/** The decoded answer, and as many bytes as were transferred with its head. */
async function textOf(
  { url }: Pick<Production, 'url'>,
  { collection }: Device,
  { method, headers, body }: Asked,
): Promise<{ readonly text: string; readonly bytes: number }> {
  const response = await fetch(new URL(collection, url), { method, headers, body })
  expect(response.status).toBe(207)
  const head = [...response.headers].map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const length = Number(response.headers.get('content-length'))
  return { text: await response.text(), bytes: head.length + length }
}

async function tokenOf(bridge: Production, device: Device): Promise<string> {
  const { text } = await textOf(bridge, device, propfindOf(device))
  return /sync-token>([^<]+)</.exec(text)?.[1] ?? ''
}

function hrefsIn(text: string): readonly string[] {
  return [...text.matchAll(/<d:href>([^<]+)</g)].map(([, href = '']) => href)
}

async function compareWithBare(measure: string, asked: readonly Asked[]): Promise<void> {
  const requests = asked.map(({ method, headers, body }, at) => {
    const collection = ofWarm[at]?.collection ?? ''
    return (
      requestHead(collection, { ...headers, 'Content-Length': String(body.length) }, method) + body
    )
  })
  const [first] = asked
  const [device] = ofWarm
  if (!first || !device) throw new Error('There is a device.')
  const answer = await answerOf(warm.port, device.collection, first.headers, first)
  expect(answer.status).toBe(207)
  const rates: number[] = []
  const costs: number[] = []
  for (let turn = 0; turn <= turns; turn += 1) {
    const bridge = await takeTurn(warm.child, warm.port, requests)
    const alone = await takeTurn(bare, barePort, requests, answer)
    if (turn === 0) continue
    rates.push(bridge.perSecond / alone.perSecond)
    costs.push(alone.processorUs / bridge.processorUs)
    console.log(
      `${measure}: ${bridge.perSecond.toFixed(0)}, ${bridge.processorUs.toFixed(1)} µs each; alone ${alone.processorUs.toFixed(1)} µs`,
    )
  }
  noteRatio({
    measure,
    against: '`node:http` alone, same bytes and headers',
    bound: { least: 0.4 },
    measured: median(rates),
    byProcessor: median(costs),
    bench: 'accounts',
  })
}

async function takeTurn(
  server: ChildProcess,
  port: number,
  requests: readonly string[],
  answer?: BareAnswer,
): Promise<{ readonly perSecond: number; readonly processorUs: number }> {
  if (answer) await ask(server, answer)
  const committing = setInterval(() => commits.commit(), commitEveryMs)
  const begun = await processorTimeOf(server)
  const { answers, ms } = await load.put({ port, requests, status: 207, ms: turnMs, connections })
  const used = (await processorTimeOf(server)) - begun
  clearInterval(committing)
  return { perSecond: (answers / ms) * 1000, processorUs: used / answers }
}
