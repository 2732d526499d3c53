/* An id that is written otherwise than the Read API writes it, which many systems do not heed, is nobody's. */
import { expect } from 'vitest'

import { type FeedAnswer, startBridge, type TestBridge } from '../support/bridge/bridge.ts'
import { it as bareIt } from '../support/bridge/fixtures.ts'
import { type LogLine, recordedLog } from '../support/bridge/recorded-log.ts'
import type { CompanyServer } from '../support/company/company-server.ts'
import { ada, bob, leave } from '../support/company/people.ts'

const it = bareIt.extend('records', ({ records }) => ({
  ...records,
  leaves: {
    usr_ada: [leave('lv_ada1', '2026-01-12'), leave('lv_ada2', '2026-02-10')],
    usr_bob: [leave('lv_bob1', '2026-01-13'), leave('lv_bob2', '2026-02-11')],
  },
}))

const folds: Readonly<Record<string, (id: string) => string>> = {
  USR_ADA: (id) => id.toLowerCase(),
  'usr_ada ': (id) => id.trimEnd(),
  usr_0ada: (id) => id.replace('_0', '_'),
}

function takesForOne(company: CompanyServer, typed: string): void {
  const fold = folds[typed]!
  company.isSame = (one, other) => fold(one) === fold(other)
}

async function faultsOf(response: Response): Promise<unknown> {
  expect(response.status).toBe(400)
  return ((await response.json()) as { errors: unknown }).errors
}

it.for(Object.keys(folds))(
  'a feed can be neither created for %j nor changed to it',
  async (typed, { company, bridge, feedOf }) => {
    takesForOne(company, typed)
    const detail = `There is no user "${typed}"; the Read API calls this person "usr_ada".`
    const made = await bridge.api('POST', '/api/feeds', { userIds: [typed] })
    expect(await faultsOf(made)).toEqual([{ pointer: '/userIds/0', detail }])
    await feedOf('usr_bob')
    const { id } = await bridge.createFeed({ userIds: ['usr_ada', 'usr_bob'] })
    const changed = await bridge.api('PATCH', `/api/feeds/${id}`, { userIds: ['usr_bob', typed] })
    expect(await faultsOf(changed)).toEqual([{ pointer: '/userIds/1', detail }])
  },
)

/** As feeds were made for such ids before, and are while the Read API is down. */
async function madeAnyway(
  company: CompanyServer,
  bridge: TestBridge,
  typed: string,
): Promise<FeedAnswer> {
  company.faults.set('/users/', 500)
  const feed = await bridge.createFeed({ userIds: [typed] })
  company.faults.delete('/users/')
  return feed
}

it.for(Object.keys(folds))(
  'a feed created for %j removes no leave from others, and says why it has none',
  async (typed, { company, bridge, feedOf, poll, logged }) => {
    takesForOne(company, typed)
    const right = [await feedOf('usr_bob'), await feedOf('usr_ada')]
    for (const address of right) expect((await poll(address)).status).toBe(200)
    const wrong = await madeAnyway(company, bridge, typed)
    const address = wrong.links[0]!.url
    const polled = await poll(address)
    expect(polled.titles.filter((title) => title.startsWith('Leave'))).toEqual([])
    company.records.leaves['usr_ada']!.push(leave('lv_ada3', '2026-03-03'))
    company.records.leaves['usr_bob']!.push(leave('lv_bob3', '2026-03-04'))
    for (const one of [...right, address, ...right]) await poll(one)
    expect((await poll(right[0]!)).titles).toContain('Leave lv_bob3')
    expect((await poll(right[1]!)).titles).toContain('Leave lv_ada3')
    const proofs = logged.filter(({ event }) => event === 'leave_proof_changed')
    expect(proofs.map(({ level }) => level)).toEqual(['info'])
    const page = await fetch(address.replace(/\/[^/]+\.ics$/, ''))
    expect(await page.text()).toContain('spells the person’s user id differently')
    const examined = await bridge.api('GET', '/api/companies/main/examination')
    const { findings } = (await examined.json()) as { findings: { check: string }[] }
    expect(findings.find(({ check }) => check === 'user-ids')).toMatchObject({
      level: 'wrong',
      seen: `Feeds are made for ids to which the Read API answers with a person of another id: ${JSON.stringify(typed)}.`,
    })
    expect(findings.find(({ check }) => check === 'leaves-employee')).toMatchObject({ ok: true })
  },
)

it('a feed keeps what it showed before its id changed spelling, and the leaves stay their person’s', async ({
  company,
  clock,
  feedOf,
  poll,
}) => {
  company.records.users = [{ ...ada, id: 'USR_ADA' }, bob]
  takesForOne(company, 'USR_ADA')
  await poll(await feedOf('usr_bob'))
  const old = await feedOf('USR_ADA')
  const before = await poll(old)
  expect(before.titles).toContain('Leave lv_ada1')
  company.records.users = [ada, bob]
  await clock.advance(13 * 3_600_000)
  expect((await poll(old)).text).toBe(before.text)
  company.records.leaves['usr_ada']!.push(leave('lv_ada3', '2026-03-03'))
  const right = await feedOf('usr_ada')
  const titles = ['Leave lv_ada1', 'Leave lv_ada2', 'Leave lv_ada3']
  expect((await poll(right)).titles).toEqual(expect.arrayContaining(titles))
  expect(await poll(old)).toMatchObject({ status: 200, text: before.text })
  await clock.advance(8 * 24 * 3_600_000)
  expect([(await poll(old)).status, (await poll(right)).status]).toEqual([503, 200])
})

it('one answer with another spelling does not invalidate an id', async ({
  company,
  clock,
  feedOf,
  poll,
}) => {
  const address = await feedOf('usr_ada')
  await poll(address)
  await clock.advance(13 * 3_600_000)
  company.records.users = [{ ...ada, id: 'USR_ADA' }, ada]
  const read = (): number => company.requests.filter((one) => one.endsWith('/users/usr_ada')).length
  const before = read()
  const { isSame } = company
  company.isSame = (one, other) => {
    const isNow = company.requests.at(-1)?.endsWith('/users/usr_ada') && read() === before + 1
    return isSame(one, other) || (one === 'USR_ADA' && isNow === true)
  }
  await poll(address)
  expect(read()).toBe(before + 2)
  company.records.leaves['usr_ada']!.push(leave('lv_ada3', '2026-03-03'))
  expect((await poll(address)).titles).toContain('Leave lv_ada3')
})

it('another person’s record in place of a known one, however often, removes none of their leaves', async ({
  company,
  clock,
  feedOf,
  poll,
}) => {
  const [adas, bobs] = [await feedOf('usr_ada'), await feedOf('usr_bob')]
  for (const address of [adas, bobs, adas]) await poll(address)
  const before = await poll(bobs)
  await clock.advance(13 * 3_600_000)
  company.records.users = [bob]
  const { isSame } = company
  company.isSame = (one, other) => {
    const isOfUser = company.requests.at(-1)?.includes('/users/')
    return isSame(one, other) || (one === 'usr_bob' && isOfUser === true)
  }
  for (let turn = 0; turn < 5; turn += 1) await poll(adas)
  company.isSame = isSame
  company.records.users = [ada, bob]
  const { leaves } = company.records
  const bobsLeaves = leaves['usr_bob']!
  leaves['usr_bob'] = [...bobsLeaves, leaves['usr_ada']![0]!]
  expect((await poll(bobs)).text).toBe(before.text)
  leaves['usr_bob'] = bobsLeaves
  leaves['usr_ada'] = [...leaves['usr_ada']!, leave('lv_ada3', '2026-03-03')]
  const titles = ['Leave lv_ada1', 'Leave lv_ada2', 'Leave lv_ada3']
  await poll(adas)
  expect((await poll(adas)).titles).toEqual(expect.arrayContaining(titles))
})

it('the other spelling of an id is known on every node', async ({
  company,
  clock,
  environment,
  feedOf,
  poll,
}) => {
  company.records.users = [{ ...ada, id: 'USR_ADA' }, bob]
  takesForOne(company, 'USR_ADA')
  const [bobs, old] = [await feedOf('usr_bob'), await feedOf('USR_ADA')]
  for (const address of [bobs, old]) await poll(address)
  company.records.users = [ada, bob]
  await clock.advance(13 * 3_600_000)
  await poll(old)
  const right = await feedOf('usr_ada')
  await poll(right)
  const logged: LogLine[] = []
  const other = await startBridge({ clock, environment, log: recordedLog(logged) })
  for (const address of [old, right, bobs]) {
    expect((await poll(other.url + new URL(address).pathname)).status).toBe(200)
  }
  expect(logged.filter(({ event }) => event === 'leave_proof_changed')).toEqual([])
  await other.close()
})
