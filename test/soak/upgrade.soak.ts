/*
 * The version before and this one share a database, as while nodes are updated one after another. A thousand random acts
 * stand in for the hour that this may take.
 */
import { mkdtemp } from 'node:fs/promises'
import path from 'node:path'

import { expect, inject, it as bareIt } from 'vitest'

import packageFile from '../../package.json' with { type: 'json' }
import { type BridgeNode, startNode } from '../support/bridge/bridge-node.ts'
import {
  adminToken,
  calendarUrl,
  createFeedAt,
  type FeedAnswer,
  readsFrom,
} from '../support/bridge/bridge.ts'
import { runProgram } from '../support/bridge/program.ts'
import { startRoundRobin } from '../support/bridge/round-robin.ts'
import { readCalendar } from '../support/calendar/read-calendar.ts'
import { startCompanyServer } from '../support/company/company-server.ts'
import { leave, twoPeople } from '../support/company/people.ts'
import { createTestDatabase } from '../support/database/postgres.ts'
import { takeVersionBefore } from '../support/release/version-before.ts'
import { freePort } from '../support/web/free-port.ts'

const acts = 1000
const openLinksMax = 30

const it = bareIt
  .extend('folder', { scope: 'file' }, () =>
    mkdtemp(path.join(inject('temporaryFolder'), 'upgrade-')),
  )
  .extend('before', { scope: 'file' }, async ({ folder }) => {
    const before = takeVersionBefore(path.join(folder, 'before'))
    const { output } = await runProgram(['--version'], { folder, ...before })
    expect(output).toContain(`calendar-feed-bridge ${before.version}\n`)
    expect(before.version).not.toBe(packageFile.version)
    return before
  })
  .extend('company', async ({ folder: _ }, { onCleanup }) => {
    const company = await startCompanyServer()
    onCleanup(() => company.close())
    Object.assign(company.records, twoPeople())
    return company
  })
  .extend('environment', ({ company }) => ({
    ...readsFrom(company.url),
    WORKFORCE_PROJECTS: 'prj_web',
    ADMIN_TOKEN: adminToken,
    FEED_POLLS_PER_MINUTE: '1000000',
    PUBLIC_URL: 'http://127.0.0.1:8080',
  }))

/** A link, and the highest SEQUENCE of each of its events so far. */
interface KnownLink {
  readonly feedId: string
  readonly label: string
  readonly path: string
  readonly revisions: Map<string, number>
  isOpen: boolean
}

interface Answer {
  readonly status: number
  readonly etag: string | null
  readonly text: string
}

it('nodes of both versions answer alike, lose nothing and never fail', async ({
  before,
  company,
  environment,
  folder,
  onTestFinished,
}) => {
  const own = { ...environment, DATABASE_URL: await createTestDatabase(), FEED_FRESH_SECONDS: '1' }
  const start = async (version: { program?: string }): Promise<BridgeNode> => {
    const port = String(await freePort())
    const node = await startNode(folder, { ...own, PORT: port }, version)
    onTestFinished(() => node.stop())
    return node
  }
  const old = await start(before)
  const balancer = await startRoundRobin()
  onTestFinished(() => balancer.close())
  balancer.ports = [old.port]
  const links: KnownLink[] = []
  const statuses = new Map<number, number>()

  async function send(address: string, request: RequestInit = {}): Promise<Response> {
    const response = await fetch(address, { redirect: 'manual', ...request })
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
    if (response.status >= 500) {
      throw new Error(`${request.method ?? 'GET'} ${address}: ${response.status}`)
    }
    return response
  }
  async function api(method: string, address: string, body?: object): Promise<unknown> {
    const response = await send(`${balancer.url}/api${address}`, {
      method,
      headers: { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    expect([method, address, response.ok]).toEqual([method, address, true])
    return response.status === 204 ? undefined : response.json()
  }
  async function ask(port: number, { path: at }: KnownLink): Promise<Answer> {
    const response = await send(`http://127.0.0.1:${port}${at}`)
    const text = await response.text()
    return { status: response.status, etag: response.headers.get('ETag'), text }
  }
  async function check(link: KnownLink): Promise<void> {
    let answers: Answer[] = []
    // The company may have changed between two answers; then the next two are alike.
    const areAlike = async (): Promise<boolean> => {
      answers = await Promise.all(balancer.ports.map((port) => ask(port, link)))
      for (const { status, text } of answers) noteRevisions(link, status === 200 ? text : '')
      return answers.every((answer) => JSON.stringify(answer) === JSON.stringify(answers[0]))
    }
    await expect.poll(areAlike).toBe(true)
    expect([link.path, answers[0]?.status]).toEqual([link.path, link.isOpen ? 200 : 410])
  }
  function note(feedId: string, label: string, url: string): KnownLink {
    const { pathname } = new URL(url)
    const link = { feedId, label, path: pathname, revisions: new Map<string, number>() }
    links.push({ ...link, isOpen: true })
    return links.at(-1)!
  }

  const open = (): KnownLink[] => links.filter(({ isOpen }) => isOpen)
  const oneOf = <T>(all: readonly T[]): T => all[Math.floor(Math.random() * all.length)]!
  const create = async (): Promise<void> => {
    const body = { userIds: [oneOf(['usr_ada', 'usr_bob'])], name: `Calendar ${links.length}` }
    const feed = (await api('POST', '/feeds', body)) as FeedAnswer & { id: string }
    await check(note(feed.id, 'default', calendarUrl(feed)))
  }
  const rotate = async (): Promise<void> => {
    const link = oneOf(open())
    const { feedId, label } = link
    const body = { label, graceDays: 0 }
    const made = (await api('POST', `/feeds/${feedId}/rotations`, body)) as { url: string }
    link.isOpen = false
    const next = note(feedId, label, made.url)
    // It continues the ledger of the one before.
    for (const [uid, revision] of link.revisions) next.revisions.set(uid, revision)
    for (const one of [link, next]) await check(one)
  }
  const add = async (): Promise<void> => {
    const { feedId } = oneOf(open())
    const label = `link ${links.length}`
    const made = (await api('POST', `/feeds/${feedId}/links`, { label })) as { url: string }
    await check(note(feedId, label, made.url))
  }
  const end = async (): Promise<void> => {
    const link = oneOf(open())
    await api('DELETE', `/feeds/${link.feedId}/links/${encodeURIComponent(link.label)}`)
    link.isOpen = false
    await check(link)
  }
  const revoke = async (): Promise<void> => {
    const { feedId } = oneOf(open())
    await api('DELETE', `/feeds/${feedId}`)
    const ended = links.filter((link) => link.feedId === feedId)
    for (const link of ended) link.isOpen = false
    for (const link of ended) await check(link)
  }
  const choose = async (): Promise<void> => {
    const link = oneOf(open())
    const body = new URLSearchParams({ show: 'leaves', locale: oneOf(['en', 'de']) })
    if (Math.random() < 0.5) body.append('show', 'tasks')
    const page = balancer.url + path.dirname(link.path)
    const headers = { 'Sec-Fetch-Site': 'same-origin' }
    const { status } = await send(page, { method: 'POST', body, headers })
    // A link takes fifty changes a day.
    expect([303, 429]).toContain(status)
    await check(link)
  }
  const change = async (): Promise<void> => {
    const name = `Leave ${Math.random()}`
    const today = new Date().toISOString().slice(0, 10)
    company.records.leaves['usr_ada'] = [leave('lv_ada1', today, { leaveType: { name } })]
  }
  const few = [create, create, rotate, add, add, end, revoke, choose, choose, change, change]

  for (let made = 0; made < 10; made += 1) await create()
  balancer.ports = [old.port, (await start({})).port]
  for (let act = 0; act < acts; act += 1) {
    if (open().length < 5) await create()
    else if (Math.random() < 0.6) await check(oneOf(Math.random() < 0.8 ? open() : links))
    else {
      const next = oneOf(few)
      const isFull = open().length >= openLinksMax && (next === create || next === add)
      await (isFull ? revoke : next)()
    }
  }
  for (const link of links) await check(link)
  await old.stop()
  balancer.ports = balancer.ports.slice(1)
  for (const link of links) await check(link)
  const last = await start({})
  balancer.ports = [last.port, ...balancer.ports]
  for (const link of links) await check(link)
  const ids = new Set(links.map(({ feedId }) => feedId))
  const listed: { id: string }[] = []
  for (let cursor = ''; ;) {
    const page = (await api('GET', `/feeds?limit=100${cursor}`)) as Page
    listed.push(...page.data)
    if (page.nextCursor === null) break
    cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`
  }
  expect(new Set(listed.map(({ id }) => id))).toEqual(ids)
  const risen = links.flatMap(({ revisions }) => [...revisions.values()]).filter((one) => one > 0)
  expect(risen.length).toBeGreaterThan(10)
  console.log(
    `${before.version} beside ${packageFile.version}: ${acts} acts, ${links.length} links of ${ids.size} feeds; answers ${JSON.stringify(Object.fromEntries(statuses))}`,
  )
})

interface Page {
  readonly data: readonly { readonly id: string }[]
  readonly nextCursor: string | null
}

/** Fails if the SEQUENCE of an event has fallen. */
function noteRevisions({ path: at, revisions }: KnownLink, calendar: string): void {
  if (calendar === '') return
  for (const [uid, { sequence }] of readCalendar(calendar)) {
    const known = revisions.get(uid) ?? 0
    if (sequence < known) throw new Error(`${at}: ${uid} falls from ${known} to ${sequence}`)
    revisions.set(uid, sequence)
  }
}

it('a SQLite database of the version before gives the same bytes, and so does its backup', async ({
  before,
  environment,
  folder,
}) => {
  const file = path.join(folder, 'bridge.sqlite')
  const own = { ...environment, FEED_FRESH_SECONDS: '86400', DATABASE_URL: `file:${file}` }
  const old = await startNode(folder, { ...own, PORT: String(await freePort()) }, before)
  const paths: string[] = []
  for (const [index, userId] of ['usr_ada', 'usr_bob', 'usr_ada'].entries()) {
    const input = { userIds: [userId], name: `Calendar ${index}` }
    const feed = await createFeedAt(`http://127.0.0.1:${old.port}`, input)
    paths.push(new URL(calendarUrl(feed)).pathname)
  }
  const answersOf = ({ port }: BridgeNode): Promise<Answer[]> =>
    Promise.all(
      paths.map(async (at) => {
        const response = await fetch(`http://127.0.0.1:${port}${at}`)
        const text = await response.text()
        return { status: response.status, etag: response.headers.get('ETag'), text }
      }),
    )
  const given = await answersOf(old)
  expect(given.map(({ status }) => status)).toEqual([200, 200, 200])
  await old.stop()

  const run = async (...words: readonly string[]): Promise<string> => {
    const { code, output, errors } = await runProgram(words, { folder, environment: own })
    expect([words, code, errors.includes('Error')]).toEqual([words, 0, false])
    return output
  }
  const plan = JSON.parse(await run('migrate', '--dry-run', '--json')) as { steps: unknown[] }
  console.log(`${before.version} to ${packageFile.version}: ${plan.steps.length} steps`)
  const backup = path.join(folder, 'backup.sqlite')
  await run('backup', '--output', backup)
  const changed = await startNode(folder, { ...own, PORT: String(await freePort()) })
  expect(await answersOf(changed)).toEqual(given)
  await changed.stop()
  await run('restore', '--input', backup)
  const restored = await startNode(folder, { ...own, PORT: String(await freePort()) })
  expect(await answersOf(restored)).toEqual(given)
  await restored.stop()
})
