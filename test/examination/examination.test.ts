import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { describe, expect, it, onTestFinished } from 'vitest'

import type { CompanyFile } from '../../src/wire/company-file.ts'
import { allOr } from '../support/bridge/thorough.ts'
import { type CompanyServer, startCompanyServer } from '../support/company/company-server.ts'
import { examineApi, findingOf, settingsOf, wrongIn } from '../support/company/examine.ts'
import { foreignApi } from '../support/company/foreign-api.ts'
import { ada, bob, leave, timesheet } from '../support/company/people.ts'
import { seenCases } from './seen-cases.ts'

const never = { since: 0, batteryAt: null, triedAt: null, credential: null }
const disputed = { ...never, state: 'disproved', reason: 'two_employees' } as const
const proven = { ...never, state: 'proven', reason: null } as const

describe('what the examination reports', () => {
  it.each(seenCases)('$name', async ({ api: style, environment, check, finding }) => {
    const { url } = await foreignApi(style)
    const examination = await examineApi(url, environment)
    expect(findingOf(examination, check)).toMatchObject(finding)
    expect(examination.ok).toBe(finding.ok)
  })

  const zones = [
    'Europe/London',
    'America/New_York',
    'America/Los_Angeles',
    'America/Sao_Paulo',
    'Asia/Kolkata',
    'Asia/Tokyo',
    'Australia/Sydney',
  ]

  it.each(allOr(zones, (zone) => /London|New_York|Kolkata/.test(zone)))(
    'finds the time zone in which the dates are midnight: %s',
    async (timezone) => {
      const { url } = await foreignApi({ dates: 'local', timezone })
      const examination = await examineApi(url, { WORKFORCE_TIMEZONE: 'Asia/Kathmandu' })
      expect(settingsOf(examination)).toEqual([
        'WORKFORCE_DATES=local',
        `WORKFORCE_TIMEZONE=${timezone}`,
      ])
    },
  )

  it.each([
    ['/schedules', 403, 'list-schedules', /403/],
    ['/leaves', 500, 'list-leaves', /500/],
    ['/timesheets', 404, 'list-timesheets', /404/],
  ])('reports the list %s that answers %i', async (path, status, check, reason) => {
    const company = await companyServer()
    company.faults.set(path, status)
    const examination = await examineApi(company.url)
    expect(examination.findings[0]).toMatchObject({ level: 'wrong' })
    for (const arrival of ['reachable', 'credentials']) {
      expect(findingOf(examination, arrival)).toMatchObject({ level: 'ok' })
    }
    const seen = expect.stringMatching(reason)
    expect(findingOf(examination, check)).toMatchObject({ ok: false, seen })
    expect(examination.ok).toBe(false)
  })

  it('reports nothing but the overload of an overloaded API', async () => {
    const company = await companyServer()
    company.faults.set('/api', 503)
    const { findings } = await examineApi(company.url)
    const seen = expect.stringMatching(/503/)
    expect(findings).toMatchObject([{ check: 'reachable', ok: false, seen, set: null }])
  })

  it('reports a leave returned for two employees until it is returned for one only', async () => {
    const { url } = await companyServer()
    const ill = await examineApi(url, {}, { proof: disputed })
    const means = expect.stringMatching(/for the wrong employee before/)
    expect(findingOf(ill, 'leaves-employee')).toMatchObject({ ok: false, means, set: null })
    const well = await examineApi(url, {}, { proof: proven })
    expect(findingOf(well, 'leaves-employee')).toMatchObject({ ok: true })
  })

  it('reports a refused parameter name without known people, and suggests the right one', async () => {
    const nobody = { alter: ({ leaves = [] }: CompanyFile) => ({ schedules: [], leaves }) }
    const { url } = await foreignApi({ ...nobody, strict: true })
    const wrong = { WORKFORCE_PARAMS: '{"leaves":{"employee":"whose"}}' }
    const ill = await examineApi(url, wrong)
    expect(findingOf(ill, 'leaves-employee')).toMatchObject({ set: 'WORKFORCE_PARAMS={}' })
    const { url: closed } = await foreignApi({
      ...nobody,
      strict: true,
      leavesByEmployeeOnly: true,
    })
    const untold = findingOf(await examineApi(closed, wrong), 'leaves-employee')
    expect(untold).toMatchObject({ level: 'note', seen: expect.stringMatching(/is refused/) })
    expect(untold.means).not.toContain('Leaves are shown')
  })

  it('reports more departures at once than can be believed', async () => {
    const { url } = await companyServer()
    const examination = await examineApi(url, {}, { heldBack: { people: 40, leaving: 12 } })
    const seen = expect.stringMatching(/^Of 40 known people 12 /)
    expect(findingOf(examination, 'departures')).toMatchObject({ ok: false, seen, set: null })
    expect(wrongIn(examination)).toEqual(['departures'])
  })

  it('notes people who have left but are in open feeds, without calling it a fault', async () => {
    const { url } = await companyServer()
    const members = ['usr_a', 'usr_b'].flatMap((userId) =>
      ['feed_1', 'feed_2'].map((feedId) => ({ userId, feedId })),
    )
    const examination = await examineApi(url, {}, { leftInFeeds: members.slice(0, 3) })
    expect(findingOf(examination, 'left-in-feeds')).toMatchObject({
      level: 'note',
      seen: 'Open feeds have 2 people in them who have left: usr_a (feed_1, feed_2), usr_b (feed_1).',
      means: expect.stringContaining('feed revoke FEED'),
    })
  })

  it('reports where people could not be looked for, and the number of known people', async () => {
    const { url } = await companyServer()
    const problems = [{ source: 'timesheets', reason: 'GET /timesheets was answered with 403.' }]
    const ill = await examineApi(url, {}, { look: { lookedAt: 1, problems }, people: 7 })
    const seen =
      'Known people of the company: 7. The timesheets could not be read: GET /timesheets was answered with 403.'
    expect(findingOf(ill, 'people')).toMatchObject({ ok: false, seen })
    expect(wrongIn(ill)).toEqual(['people'])
    const well = await examineApi(url, {}, { look: { lookedAt: 1, problems: [] }, people: 7 })
    expect(findingOf(well, 'people')).toMatchObject({ ok: true })
    expect(wrongIn(well)).toEqual([])
  })

  it('reports records that do not fit, and nothing else', async () => {
    const company = await companyServer()
    company.records.leaves[ada.id]?.push(leave('lv_bad', '2026-01-09', { endDate: 'soon' }))
    expect(wrongIn(await examineApi(company.url))).toEqual(['records'])
  })

  it('reports a server that resets every connection, after three requests', async () => {
    let requests = 0
    const server = createServer(({ socket }) => {
      requests += 1
      socket.destroy()
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { findings } = await examineApi(`http://127.0.0.1:${port}/hr/v2`)
    expect(findings).toMatchObject([{ check: 'reachable', ok: false, set: null }])
    expect(requests).toBe(3)
  })

  it('reports a leave that is returned for two known users', async () => {
    const company = await companyServer()
    company.records.leaves = {
      [ada.id]: [leave('lv_1', '2026-01-07')],
      [bob.id]: [leave('lv_1', '2026-01-07')],
    }
    const examination = await examineApi(company.url)
    expect(findingOf(examination, 'leaves-employee')).toMatchObject({ ok: true })
    const seen = expect.stringMatching(
      /^Leaves that come for several people: lv_1 \(usr_ada, usr_bob/,
    )
    expect(findingOf(examination, 'leave-owners')).toMatchObject({ ok: true, seen, set: null })
  })
})

/** A company of two, each with a leave and a timesheet. */
async function companyServer(): Promise<CompanyServer> {
  const company = await startCompanyServer()
  onTestFinished(() => company.close())
  const month = new Date().toISOString().slice(0, 7)
  company.records.users = [ada, bob]
  company.records.leaves = {
    [ada.id]: [leave('lv_ada', '2026-01-07')],
    [bob.id]: [leave('lv_bob', '2026-01-08')],
  }
  company.records.timesheets = [ada, bob].map(({ id }) =>
    timesheet(`clq_${id}`, id, `${month}-01`, `${month}-15`),
  )
  return company
}
