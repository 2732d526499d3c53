import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { everyList } from '../../src/domain/connection.ts'
import { defaultParameters } from '../../src/domain/read-api.ts'
import { secret, read, faultsOf, fileOf, textFile } from '../support/settings/environment.ts'

describe('COMPANIES_FILE', () => {
  const north = {
    id: 'north',
    baseUrl: 'https://north.example/',
    timezone: 'Europe/Oslo',
    pagination: { tasks: 'link' },
  }

  it('sets any number of companies with the same defaults', async () => {
    const south = {
      id: 'south',
      name: 'South Ltd',
      baseUrl: 'https://south.example/hr',
      timezone: 'Africa/Johannesburg',
      auth: `bearer:${secret}`,
      params: { leaves: { employee: 'who' } },
      pagination: 'link',
      dates: 'local',
      endDates: 'exclusive',
      projects: ['prj_a'],
      schedules: ['sch_a'],
      scheduleTimezones: { sch_a: 'Africa/Cairo' },
      recordUrl: 'https://south.example/{kind}/{id}',
      shrinkGuard: 'off',
      timeoutMs: 100,
      concurrency: 2,
      bodyBytesMax: 1000,
    }
    const settings = read({ COMPANIES_FILE: await fileOf([north, south]) })
    expect(settings.settingsIn).toBe('file')
    expect(settings.companies).toMatchObject([
      {
        company: { id: 'north', name: 'north', dates: 'utc', projects: [], scheduleTimezones: {} },
        connection: {
          baseUrl: 'https://north.example',
          parameters: defaultParameters,
          pagination: { ...everyList({ style: 'none' }), tasks: { style: 'link' } },
        },
        shrinkGuard: true,
      },
      {
        company: { id: 'south', name: 'South Ltd', scheduleTimezones: { sch_a: 'Africa/Cairo' } },
        connection: {
          authentication: { scheme: 'bearer', token: secret },
          pagination: everyList({ style: 'link' }),
          timeoutMs: 100,
        },
        shrinkGuard: false,
      },
    ])
  })

  it('replaces the settings of the single company', async () => {
    const file = await fileOf([north])
    const one = { WORKFORCE_BASE_URL: 'https://other.example', WORKFORCE_COMPANY: 'other' }
    const { companies, replaced } = read({ COMPANIES_FILE: file, ...one, WORKFORCE_AUTH: '' })
    expect(companies?.map(({ company }) => company.id)).toEqual(['north'])
    expect(replaced).toEqual(['WORKFORCE_BASE_URL', 'WORKFORCE_COMPANY'])
  })

  it.each<[string, unknown]>([
    ['auth of company 1', [{ ...north, auth: secret }]],
    ['baseUrl of company 1', [{ ...north, baseUrl: `https://me:${secret}@north.example` }]],
    ['timezone of company 1', [{ id: 'north', baseUrl: north.baseUrl }]],
    [
      'scheduleTimezones.sch of company 2',
      [north, { ...north, id: 'b', scheduleTimezones: { sch: secret } }],
    ],
    ['scheduleTimezones of company 1', [{ ...north, scheduleTimezones: { '': 'UTC' } }]],
    ['projects[1] of company 1', [{ ...north, projects: ['prj_a', 3] }]],
    ['schedules[0] of company 1', [{ ...north, schedules: [''] }]],
    ['id of company 1', [{ ...north, id: 3 }]],
    ['pagination of company 1', [{ ...north, pagination: 3 }]],
    ['params.leaves.employee of company 1', [{ ...north, params: { leaves: { employee: '' } } }]],
  ])('a wrong %s is reported in one sentence', async (key, companies) => {
    const sentences = faultsOf({ COMPANIES_FILE: await fileOf(companies) })
    expect(sentences).toHaveLength(1)
    expect(sentences[0]).toMatch(
      new RegExp(
        `^COMPANIES_FILE: ${key.replaceAll(/[[\]]/g, String.raw`\$&`)}( \\(\\w+\\))? must .+\\.$`,
      ),
    )
    expect(sentences[0]).not.toContain(secret)
  })

  it.each<[string, unknown]>([
    ['a key that does not exist', [{ ...north, token: secret }]],
    ['no company', []],
    ['no list', { north }],
    ['an id that stands there twice', [north, north]],
  ])('a file with %s is rejected in one sentence', async (_, companies) => {
    const sentences = faultsOf({ COMPANIES_FILE: await fileOf(companies) })
    expect(sentences).toHaveLength(1)
    expect(sentences[0]).toMatch(/^COMPANIES_FILE:? .+\.$/)
    expect(sentences[0]).not.toContain(secret)
  })

  it('names company, key and likely meaning at every level', async () => {
    const file = await fileOf([
      { ...north, timezon: 'UTC', params: { leave: {}, leaves: { user: 'a' } } },
      {
        id: 'south',
        base_url: 'https://south.example',
        timezone: 'UTC',
        pagination: { task: 'link' },
      },
    ])
    expect(faultsOf({ COMPANIES_FILE: file })).toEqual([
      'COMPANIES_FILE: params.leaves of company 1 (north) must not hold "user"; there are employee, status.',
      'COMPANIES_FILE: params of company 1 (north) must not hold "leave"; did you mean `leaves`?',
      'COMPANIES_FILE: company 1 (north) must not hold "timezon"; did you mean `timezone`?',
      'COMPANIES_FILE: baseUrl of company 2 (south) must be set.',
      expect.stringContaining(
        'COMPANIES_FILE: pagination of company 2 (south) must be none, page:',
      ),
      'COMPANIES_FILE: company 2 (south) must not hold "base_url"; did you mean `baseUrl`?',
    ])
  })

  it('can name a separate file with the credential of a company', async () => {
    const authFile = await textFile(`bearer:${secret}\n`)
    const settings = read({ COMPANIES_FILE: await fileOf([{ ...north, authFile }]) })
    const inline = read({ COMPANIES_FILE: await fileOf([{ ...north, auth: `bearer:${secret}` }]) })
    expect(settings.companies?.[0]).toEqual({ ...inline.companies?.[0], credentialFile: authFile })
    const wrong = [
      { ...north, authFile: `/nowhere/${secret}` },
      { ...north, id: 'b', authFile, auth: 'none' },
    ]
    expect(faultsOf({ COMPANIES_FILE: await fileOf(wrong) })).toEqual([
      'COMPANIES_FILE: authFile of company 1 (north) must name a readable file that holds the secret and nothing else.',
      'COMPANIES_FILE: authFile of company 2 (b) must not be set beside auth.',
    ])
  })

  it('replaces even wrong settings of the single company', async () => {
    const file = await fileOf([north])
    const settings = read({ COMPANIES_FILE: file, WORKFORCE_TIMEZONE: 'Nope' })
    expect(settings.companies).toHaveLength(1)
  })

  it('an unreadable file is rejected with its path and the reason', async () => {
    const text = await textFile('')
    for (const [file, reason] of [
      ['/nowhere/companies.json', 'no such file or directory'],
      [path.dirname(text), 'illegal operation on a directory'],
      [path.join(text, 'companies.json'), 'not a directory'],
    ] as const) {
      expect(faultsOf({ COMPANIES_FILE: file })).toEqual([
        `COMPANIES_FILE must name a file of JSON. The file ${file} cannot be read: ${reason}.`,
      ])
    }
    const [nearby] = faultsOf({ COMPANIES_FILE: 'nowhere.json' })
    expect(nearby).toContain(`The file ${path.resolve('nowhere.json')} cannot be read`)
    expect(faultsOf({ COMPANIES_FILE: ` [{"auth": "bearer:${secret}"}]` })).toEqual([
      'COMPANIES_FILE must name a file of JSON, not be the JSON itself.',
    ])
  })

  it.each(['', `{"auth": "${secret}"`, `[{"auth": "${secret}\n`, `[] ${secret}`])(
    'a file that is not JSON is rejected without its text: %j',
    async (text) => {
      expect(faultsOf({ COMPANIES_FILE: await textFile(text) })).toEqual([
        'COMPANIES_FILE must name a file of valid JSON.',
      ])
    },
  )

  it('reports a repeated id with all its places, together with all other faults', async () => {
    const file = await fileOf([
      north,
      { ...north, id: 'b', dates: 'gmt' },
      { ...north, timezone: 'nowhere' },
      { ...north, id: 'b' },
      { ...north },
    ])
    expect(faultsOf({ COMPANIES_FILE: file })).toEqual([
      'COMPANIES_FILE: dates of company 2 (b) must be utc or local.',
      'COMPANIES_FILE: timezone of company 3 (north) must be an IANA time zone such as Europe/Berlin.',
      'COMPANIES_FILE: company 1 (north), company 3 (north), company 5 (north) must not have the same id.',
      'COMPANIES_FILE: company 2 (b), company 4 (b) must not have the same id.',
    ])
  })

  it('accepts numbers written as text, like the environment, but no text written as numbers', async () => {
    const written = { ...north, timeoutMs: '1500', concurrency: 3 }
    const { companies } = read({ COMPANIES_FILE: await fileOf([written]) })
    expect(companies?.[0]?.connection).toMatchObject({ timeoutMs: 1500, concurrency: 3 })
    const wrong = { ...north, name: 3, timeoutMs: ' 1500', concurrency: '3.0', bodyBytesMax: true }
    expect(faultsOf({ COMPANIES_FILE: await fileOf([wrong]) })).toEqual([
      'COMPANIES_FILE: name of company 1 (north) must be of type string.',
      'COMPANIES_FILE: timeoutMs of company 1 (north) must be a whole number from 1 to 600000.',
      'COMPANIES_FILE: concurrency of company 1 (north) must be a whole number from 1 to 1000.',
      'COMPANIES_FILE: bodyBytesMax of company 1 (north) must be a whole number from 1 to 1073741824.',
    ])
  })

  it('names a misspelt key and a missing one', async () => {
    const { baseUrl, ...others } = north
    const misspelt = await fileOf([{ ...others, baseURL: baseUrl }])
    expect(faultsOf({ COMPANIES_FILE: misspelt })).toEqual([
      'COMPANIES_FILE: baseUrl of company 1 (north) must be set.',
      'COMPANIES_FILE: company 1 (north) must not hold "baseURL"; did you mean `baseUrl`?',
    ])
    expect(faultsOf({ COMPANIES_FILE: await fileOf([others]) })).toEqual([
      'COMPANIES_FILE: baseUrl of company 1 (north) must be set.',
    ])
  })

  it('reports all faults at once, including those of the environment', async () => {
    const file = await fileOf([
      { ...north, timezone: 'nowhere' },
      { ...north, id: 'b', dates: 'gmt' },
    ])
    const sentences = faultsOf({ COMPANIES_FILE: file, PORT: 'a' })
    expect(sentences).toHaveLength(3)
  })
})
