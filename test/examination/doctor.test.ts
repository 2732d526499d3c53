import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { readsFrom } from '../support/bridge/bridge.ts'
import { runCommand } from '../support/bridge/command-line.ts'
import { allOr } from '../support/bridge/thorough.ts'
import {
  type Environment,
  findingOf,
  following,
  runDoctor,
  secret,
  settingsOf,
  wrongIn,
} from '../support/company/examine.ts'
import { foreignApi, startForeignApi } from '../support/company/foreign-api.ts'
import { wrongSettings } from './wrong-settings.ts'

/** Of faults that others show as well. */
const moreOfAKind: ReadonlySet<string> = new Set([
  'a base path too little',
  'pages',
  'pages from 0, read from 1',
  "days at the company's own midnight",
  'ends that are the last day',
])

describe('doctor', () => {
  let directory: string
  /** One for all: a database is dear to make, and an examination leaves nothing that another one reads. */
  let database: Environment

  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'doctor-'))
    database = { DATABASE_URL: `file:${directory}/bridge.sqlite` }
  })
  afterAll(() => rm(directory, { recursive: true }))

  it('finds nothing to change with an empty configuration', async () => {
    const { code, output, errors } = await runCommand({}, 'doctor')
    expect(output).toContain('Company main: calendars can be served whole.')
    expect(output).not.toMatch(/wrong|Set |127\.0\.0\.1/)
    expect(output).toContain('A list of the embedded Read API answers.')
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
  })

  it.each(allOr(wrongSettings, ({ name }) => !moreOfAKind.has(name)))(
    'advises the right setting: $name',
    async ({ api, environment = {}, sets, afterwards = [] }) => {
      const { url } = await foreignApi(api)
      const written = (text: string): string => text.replaceAll('{origin}', new URL(url).origin)
      const given = Object.entries(environment).map(([key, value]) => [key, written(value)])
      const set = { ...database, ...Object.fromEntries(given) }
      const ill = await runDoctor(url, set)
      const advice = settingsOf(ill.examination)
      expect(advice).toEqual(sets.map(written))
      expect(ill).toMatchObject({ code: 1, errors: 'Calendars cannot be served whole for main.\n' })
      expect(ill.examination.ok).toBe(false)

      const next = { ...set, ...following(advice) }
      const after = await runDoctor(url, next)
      expect(settingsOf(after.examination)).toEqual(afterwards.map(written))
      const further = following(settingsOf(after.examination))
      const well = afterwards.length === 0 ? after : await runDoctor(url, { ...next, ...further })
      expect(wrongIn(well.examination)).toEqual([])
      expect(well.code).toBe(0)
    },
  )

  it('prints the lines for .env, and only these with --env', async () => {
    const { url } = await foreignApi({ dates: 'local', paging: { style: 'link', most: 7 } })
    const set = { ...database, ...readsFrom(url), WORKFORCE_PROJECTS: 'prj_gone' }
    const lines = ['WORKFORCE_DATES=local', 'WORKFORCE_PAGINATION=link', 'WORKFORCE_PROJECTS=']
    const whole = await runCommand(set, 'doctor')
    expect(whole.output.split('For .env:\n\n')[1]?.trimEnd().split('\n')).toEqual(lines)
    const { code, output, errors } = await runCommand(set, 'doctor', '--env')
    expect(output).toBe(`${lines.join('\n')}\n`)
    expect({ code, errors }).toEqual({ code: whole.code, errors: whole.errors })
    expect(whole.code).toBe(1)
    const both = await runCommand(set, 'doctor', '--env', '--json')
    expect(both.code).toBe(2)
  })

  it('lists faults first, then notes, and each setting once', async () => {
    const { url } = await foreignApi({
      parameters: {
        timesheets: { employee: 'employeeId', status: null, from: null, to: null },
        leaves: { employee: 'employee_id', status: null },
        schedules: { type: null, active: null },
      },
      strict: true,
    })
    const { examination } = await runDoctor(url, database)
    const levels = examination.findings.map(({ level }) => level)
    expect(levels).toEqual(
      ['wrong', 'note', 'ok'].flatMap((one) => levels.filter((level) => level === one)),
    )
    const sets = examination.findings.flatMap(({ set }) => set ?? [])
    expect(sets).toEqual([...new Set(sets)])
    expect(findingOf(examination, 'timesheets-employee')).toMatchObject({
      level: 'wrong',
      means: 'Calendars lack timesheets. What leaves-employee sets mends it.',
      set: null,
    })
  })

  it('does not call the address right before a list has answered', async () => {
    const { url } = await foreignApi({ authentication: { scheme: 'bearer', token: secret } })
    const { examination } = await runDoctor(url, database)
    expect(wrongIn(examination)).toEqual(['credentials'])
    expect(JSON.stringify(examination)).not.toContain('is right.')
  })

  const authentications: readonly (readonly [string, Environment])[] = [
    ['none', {}],
    ['bearer', { WORKFORCE_AUTH: `bearer:${secret}` }],
    ['basic', { WORKFORCE_AUTH: `basic:bridge:${secret}` }],
    ['header', { WORKFORCE_AUTH: `header:X-Key:${secret}` }],
    ['query', { WORKFORCE_AUTH: `query:key:${secret}` }],
  ]

  it.each(allOr(authentications, ([name]) => ['basic', 'header', 'query'].includes(name)))(
    'never prints the secret: %s',
    async (_, auth) => {
      const { url } = await foreignApi({
        authentication: { scheme: 'bearer', token: 'another-secret' },
        challenge: `Digest realm="${secret}"`,
      })
      const set = { ...database, ...readsFrom(url), ...auth }
      const { code, output, errors } = await runCommand(set, 'doctor')
      expect(code).toBe(1)
      expect(output).toContain('is answered with 401.')
      const pair = Buffer.from(`bridge:${secret}`).toString('base64')
      expect(output + errors).not.toMatch(new RegExp(`${secret}|${pair}|another-secret`))
    },
  )

  it('reports that an API truncates its lists even if it cannot advise how to page', async () => {
    const { url } = await foreignApi({ paging: { style: 'cut', most: 12 } })
    const { code, examination } = await runDoctor(url, database)
    expect(code).toBe(1)
    expect(findingOf(examination, 'truncation')).toMatchObject({ ok: false, set: null })
  })

  it('counts unfitting records by field, without their values', async () => {
    const { url } = await foreignApi({
      alter: (company) => ({
        ...company,
        leaves: (company.leaves ?? []).map((leave, index) =>
          index % 10 === 3 ? { ...leave, endDate: 'sometime soon' } : leave,
        ),
      }),
    })
    const { output } = await runCommand({ ...database, ...readsFrom(url) }, 'doctor')
    expect(output.replaceAll(/\s+/g, ' ')).toContain(
      '4 of leaves at endDate (expected ISO 8601 timestamp, the first at data[3].endDate)',
    )
    expect(output).not.toContain('sometime soon')
  })

  it('reports an API that does not answer', async () => {
    const api = await startForeignApi()
    await api.close()
    const { code, examination } = await runDoctor(api.url, database)
    expect(code).toBe(1)
    expect(examination.findings).toMatchObject([{ check: 'reachable', ok: false, set: null }])
  })

  it('rejects a company that is not set up', async () => {
    const { code, errors } = await runCommand(database, 'doctor', '--company', 'other')
    expect({ code, errors }).toEqual({
      code: 2,
      errors: '--company: There is no company "other"; there is main.\n',
    })
  })
})
