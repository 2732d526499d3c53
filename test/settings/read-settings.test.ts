import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { describe, expect, it, onTestFinished } from 'vitest'

import {
  type Authentication,
  defaultParameters,
  everyList,
  type ListPagination,
  type Pagination,
} from '../../src/domain/connection.ts'
import { asAppError } from '../../src/domain/errors.ts'
import { readSettings, type Settings } from '../../src/settings/read-settings.ts'

type Environment = Readonly<Record<string, string>>

const elsewhere = {
  WORKFORCE_BASE_URL: 'https://hr.example/api/',
  WORKFORCE_TIMEZONE: 'Europe/Berlin',
}
const secret = 's3cr3t-value-of-somebody'

describe('no settings at all', () => {
  const settings = readSettings({})

  it('are a full configuration', () => {
    expect(settings).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      trustProxy: 0,
      databaseUrl: 'file:./data/bridge.sqlite',
      dataDirectory: path.resolve('data'),
      sandboxDatabaseUrl: 'file:./data/workforce.sqlite',
      companies: null,
      settingsIn: 'environment',
      feedFreshMs: 300_000,
      feedRefreshBudgetMs: 8000,
      feedStaleMs: 604_800_000,
      feedPollsPerMinute: 60,
      unknownTokensPerMinute: 30,
      logLevel: 'info',
    })
    expect(settings).not.toHaveProperty('publicUrl')
    expect(settings).not.toHaveProperty('adminToken')
    expect(settings).not.toHaveProperty('httpsProxy')
  })

  it('read the embedded Read API as it is', () => {
    const { company, projects, schedules } = settings.embedded
    expect({ projects, schedules }).toEqual({ projects: null, schedules: null })
    expect(company.company).toMatchObject({
      id: 'main',
      timezone: 'Europe/Berlin',
      dates: 'utc',
      endDates: 'inclusive',
    })
    expect(company.connection).toMatchObject({
      authentication: { scheme: 'none' },
      parameters: defaultParameters,
      pagination: everyList({ style: 'none' }),
      timeoutMs: 30_000,
      concurrency: 32,
      bodyBytesMax: 16_777_216,
    })
    expect(company.shrinkGuard).toBe(true)
  })

  it('are what empty ones mean', () => {
    expect(readSettings({ PORT: '', WORKFORCE_BASE_URL: '', ADMIN_TOKEN: '' })).toEqual(settings)
  })
})

describe('what is set holds', () => {
  it('for the Read API of somebody else', () => {
    const [company] = companiesOf({
      ...elsewhere,
      WORKFORCE_COMPANY: 'acme',
      WORKFORCE_DATES: 'local',
      WORKFORCE_END_DATES: 'exclusive',
      WORKFORCE_PROJECTS: 'prj_a, prj_b,',
      WORKFORCE_SCHEDULES: 'sch_a',
      WORKFORCE_RECORD_URL: 'https://hr.example/{kind}/{id}',
      WORKFORCE_SHRINK_GUARD: 'off',
      WORKFORCE_TIMEOUT_MS: '1500',
    })
    expect(company).toMatchObject({
      company: {
        id: 'acme',
        name: 'acme',
        timezone: 'Europe/Berlin',
        dates: 'local',
        endDates: 'exclusive',
        projects: ['prj_a', 'prj_b'],
        schedules: ['sch_a'],
        recordUrl: 'https://hr.example/{kind}/{id}',
      },
      connection: { baseUrl: 'https://hr.example/api', timeoutMs: 1500 },
      shrinkGuard: false,
    })
  })

  it.each<[string, Authentication]>([
    ['none', { scheme: 'none' }],
    ['bearer:a:b', { scheme: 'bearer', token: 'a:b' }],
    ['basic:me:p:w', { scheme: 'basic', user: 'me', password: 'p:w' }],
    ['header:X-Key:a: b', { scheme: 'header', name: 'X-Key', value: 'a: b' }],
    ['query:key:a&b', { scheme: 'query', name: 'key', value: 'a&b' }],
  ])('WORKFORCE_AUTH=%s', (setting, authentication) => {
    const [company] = companiesOf({ ...elsewhere, WORKFORCE_AUTH: setting })
    expect(company?.connection.authentication).toEqual(authentication)
  })

  it.each<[string, Pagination]>([
    ['none', { style: 'none' }],
    ['link', { style: 'link' }],
    ['page:p,n,50', { style: 'page', pageParameter: 'p', sizeParameter: 'n', size: 50, first: 1 }],
    [
      'page:p,n,50,0',
      { style: 'page', pageParameter: 'p', sizeParameter: 'n', size: 50, first: 0 },
    ],
    ['offset:o,l,9', { style: 'offset', offsetParameter: 'o', limitParameter: 'l', limit: 9 }],
  ])('WORKFORCE_PAGINATION=%s', (setting, pagination) => {
    const [company] = companiesOf({ ...elsewhere, WORKFORCE_PAGINATION: setting })
    expect(company?.connection.pagination).toEqual(everyList(pagination))
  })

  it.each<[string, Partial<ListPagination>]>([
    ['{}', {}],
    ['{"tasks": "link"}', { tasks: { style: 'link' } }],
    [
      '{"*": "link", "tasks": "none"}',
      { ...everyList({ style: 'link' }), tasks: { style: 'none' } },
    ],
  ])('WORKFORCE_PAGINATION=%s, list by list', (setting, lists) => {
    const [company] = companiesOf({ ...elsewhere, WORKFORCE_PAGINATION: setting })
    const pagination = { ...everyList({ style: 'none' }), ...lists }
    expect(company?.connection.pagination).toEqual(pagination)
  })

  it('WORKFORCE_PARAMS, key by key over the defaults', () => {
    const params = { leaves: { employee: 'who' }, timesheets: { from: null } }
    const [company] = companiesOf({ ...elsewhere, WORKFORCE_PARAMS: JSON.stringify(params) })
    expect(company?.connection.parameters).toEqual({
      ...defaultParameters,
      leaves: { ...defaultParameters.leaves, employee: 'who' },
      timesheets: { ...defaultParameters.timesheets, from: null },
    })
  })

  it('DATABASE_URL, in whose folder the data lies', () => {
    expect(readSettings({ DATABASE_URL: 'file:/var/lib/feeds/b.sqlite' }).dataDirectory).toBe(
      '/var/lib/feeds',
    )
    const shared = { DATABASE_URL: 'postgres://db/feeds', ADMIN_TOKEN: secret }
    expect(readSettings(shared)).toMatchObject({ dataDirectory: 'data', adminToken: secret })
  })

  it('and makes another connection where it says how the Read API is spoken to', () => {
    const ids = [
      {},
      { WORKFORCE_COMPANY: 'acme' },
      { WORKFORCE_BASE_URL: 'https://hr.example/other' },
      { WORKFORCE_PARAMS: '{"leaves":{"employee":"who"}}' },
      { WORKFORCE_PAGINATION: 'link' },
      { WORKFORCE_PAGINATION: '{"tasks": "link"}' },
    ].map((changed) => companiesOf({ ...elsewhere, ...changed })[0]?.connectionId)
    expect(new Set(ids).size).toBe(ids.length)
    const [one, two] = ['one', 'two'].map(
      (token) => companiesOf({ ...elsewhere, WORKFORCE_AUTH: `bearer:${token}` })[0],
    )
    expect(one?.connectionId).toBe(ids[0])
    expect(one?.credential).not.toBe(two?.credential)
    const others = { WORKFORCE_DATES: 'local', WORKFORCE_TIMEOUT_MS: '5', WORKFORCE_PROJECTS: 'p' }
    expect(companiesOf({ ...elsewhere, ...others })[0]?.connectionId).toBe(ids[0])
  })

  it('and keeps the connection where it says the same of paging in other words', () => {
    const alike = ['page:p,n,50', '{"*": "page:p,n,50,1"}'].map(
      (WORKFORCE_PAGINATION) =>
        companiesOf({ ...elsewhere, WORKFORCE_PAGINATION })[0]?.connectionId,
    )
    expect(new Set(alike).size).toBe(1)
  })

  it('and keeps the connection to which the copies of earlier versions belong', () => {
    expect(readSettings({}).embedded.company.connectionIdBefore).toBe(
      'uz_rShPTph0PsDApE6fzMfVkFcuUBp4_qfUAQWoJHfE',
    )
  })
})

describe('the way out', () => {
  it('proxies are addresses, with a credential of their own if need be', () => {
    const HTTPS_PROXY = 'http://user:secret@proxy.example:3128'
    expect(readSettings({ HTTPS_PROXY, NO_PROXY: 'localhost' })).toMatchObject({
      httpsProxy: HTTPS_PROXY,
      noProxy: 'localhost',
    })
    expect(() => readSettings({ HTTPS_PROXY: 'proxy.example:3128' })).toThrow(
      'HTTPS_PROXY must be an absolute http or https address.',
    )
  })

  it('a basic credential may have an empty password (RFC 7617 section 2)', () => {
    const settings = readSettings({
      WORKFORCE_BASE_URL: 'https://one.example',
      WORKFORCE_TIMEZONE: 'UTC',
      WORKFORCE_AUTH: 'basic:key:',
    })
    expect(settings.companies?.[0]?.connection.authentication).toEqual({
      scheme: 'basic',
      user: 'key',
      password: '',
    })
  })
})

describe('a wrong setting is one sentence without its value', () => {
  const plainAddress =
    'must be an absolute http or https address without credentials, query and fragment'
  const database = 'must be file:PATH for SQLite or postgres://… for PostgreSQL'
  const rules: Readonly<Record<string, string>> = {
    PORT: 'must be a whole number from 0 to 65535',
    PUBLIC_URL: plainAddress,
    TRUST_PROXY: 'must be a whole number from 0 to 100',
    DATABASE_URL: database,
    WORKFORCE_BASE_URL: plainAddress,
    WORKFORCE_DATABASE_URL: database,
    WORKFORCE_TIMEZONE: 'must be an IANA time zone such as Europe/Berlin',
    WORKFORCE_AUTH:
      'must be none, bearer:TOKEN, basic:USER:PASSWORD, header:NAME:VALUE or query:NAME:VALUE',
    WORKFORCE_PAGINATION:
      'must be none, page:PAGE,SIZE,N[,FIRST], offset:OFFSET,LIMIT,N or link (PAGE, SIZE, OFFSET, LIMIT being parameter names), or JSON that gives one of these to leaves, timesheets, tasks, schedules or * (all others)',
    WORKFORCE_DATES: 'must be utc or local',
    WORKFORCE_END_DATES: 'must be inclusive or exclusive',
    WORKFORCE_RECORD_URL:
      'must be an http or https address with {id}, and {kind} where kinds differ',
    WORKFORCE_TIMEOUT_MS: 'must be a whole number from 1 to 600000',
    WORKFORCE_CONCURRENCY: 'must be a whole number from 1 to 1000',
    WORKFORCE_BODY_BYTES_MAX: 'must be a whole number from 1 to 1073741824',
    WORKFORCE_SHRINK_GUARD: 'must be on or off',
    FEED_FRESH_SECONDS: 'must be a whole number from 0 to 86400',
    FEED_REFRESH_BUDGET_MS: 'must be a whole number from 1 to 600000',
    FEED_STALE_DAYS: 'must be a whole number from 0 to 3650',
    FEED_POLLS_PER_MINUTE: 'must be a whole number from 1 to 1000000',
    UNKNOWN_TOKENS_PER_MINUTE: 'must be a whole number from 1 to 1000000',
    LOG_LEVEL: 'must be trace, debug, info, warn, error, fatal or silent',
  }

  it.each([
    ['PORT', secret],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['PUBLIC_URL', `https://me:${secret}@feeds.example`],
    ['PUBLIC_URL', `ftp://${secret}`],
    ['TRUST_PROXY', secret],
    ['DATABASE_URL', `mysql://me:${secret}@db/feeds`],
    ['WORKFORCE_BASE_URL', `https://me:${secret}@hr.example`],
    ['WORKFORCE_BASE_URL', `https://hr.example/?key=${secret}`],
    ['WORKFORCE_DATABASE_URL', `mysql://me:${secret}@db`],
    ['WORKFORCE_TIMEZONE', secret],
    ['WORKFORCE_AUTH', secret],
    ['WORKFORCE_AUTH', `Bearer ${secret}`],
    ['WORKFORCE_AUTH', `bearer:${secret}\n`],
    ['WORKFORCE_AUTH', `basic:${secret}`],
    ['WORKFORCE_AUTH', `header:not a name:${secret}`],
    ['WORKFORCE_AUTH', `oauth:${secret}`],
    ['WORKFORCE_PAGINATION', secret],
    ['WORKFORCE_PAGINATION', 'page:p,n'],
    ['WORKFORCE_PAGINATION', 'page:p,n,0'],
    ['WORKFORCE_PAGINATION', 'offset:o,l,5,1'],
    ['WORKFORCE_PAGINATION', '{"tasks": '],
    ['WORKFORCE_PAGINATION', '{"tasks": "page:p,n"}'],
    ['WORKFORCE_PAGINATION', '{"tasks": 5}'],
    ['WORKFORCE_DATES', secret],
    ['WORKFORCE_END_DATES', secret],
    ['WORKFORCE_RECORD_URL', secret],
    ['WORKFORCE_TIMEOUT_MS', '0'],
    ['WORKFORCE_CONCURRENCY', 'many'],
    ['WORKFORCE_BODY_BYTES_MAX', secret],
    ['WORKFORCE_SHRINK_GUARD', secret],
    ['FEED_FRESH_SECONDS', secret],
    ['FEED_REFRESH_BUDGET_MS', secret],
    ['FEED_STALE_DAYS', secret],
    ['FEED_POLLS_PER_MINUTE', '0'],
    ['UNKNOWN_TOKENS_PER_MINUTE', secret],
    ['LOG_LEVEL', secret],
  ])('%s=%s', (key, value) => {
    expect(faultsOf({ [key]: value, ...zoneFor(key) })).toEqual([`${key} ${rules[key]}.`])
  })

  it.each([
    ['HTTPS_PROXY', secret, 'HTTPS_PROXY must be an absolute http or https address.'],
    ['ADMIN_TOKEN', secret.slice(0, 15), 'ADMIN_TOKEN must have 16 characters or more.'],
    [
      'ADMIN_TOKEN',
      `${secret} with spaces`,
      'ADMIN_TOKEN must be of printable ASCII characters without spaces.',
    ],
    ['WORKFORCE_PARAMS', secret, 'WORKFORCE_PARAMS must be JSON.'],
    ['WORKFORCE_PARAMS', '[]', 'WORKFORCE_PARAMS must be of type object.'],
    [
      'WORKFORCE_PARAMS',
      `{"leaves":{"colour":"${secret}"}}`,
      'WORKFORCE_PARAMS.leaves must not hold "colour"; it may hold employee, status.',
    ],
    [
      'WORKFORCE_PARAMS',
      `{"colour":{"name":"${secret}"}}`,
      'WORKFORCE_PARAMS must not hold "colour"; it may hold timesheets, leaves, schedules.',
    ],
    [
      'WORKFORCE_PARAMS',
      '{"leaves":{"emplyee":"who"}}',
      'WORKFORCE_PARAMS.leaves must not hold "emplyee": did you mean employee?',
    ],
    [
      'WORKFORCE_PARAMS',
      `{"leaves":{"${secret}":"who"}}`,
      'WORKFORCE_PARAMS.leaves must not hold other keys than employee, status.',
    ],
    [
      'WORKFORCE_PAGINATION',
      '{"task": "none"}',
      'WORKFORCE_PAGINATION must not hold "task": did you mean tasks?',
    ],
    ['ALLOW_INSECURE', 'yes', 'ALLOW_INSECURE must be true or false.'],
    [
      'WORKFORCE_PARAMS',
      '{"leaves":{"employee":5}}',
      'WORKFORCE_PARAMS.leaves.employee must be of type string.',
    ],
  ])('%s=%s: %s', (key, value, sentence) => {
    expect(faultsOf({ [key]: value })).toEqual([sentence])
  })

  it('all of them at once', () => {
    const sentences = faultsOf({ PORT: 'a', LOG_LEVEL: 'loud', WORKFORCE_BASE_URL: 'https://hr' })
    expect(sentences.map((sentence) => sentence.replace(/ .*/, '')).toSorted()).toEqual([
      'LOG_LEVEL',
      'PORT',
      'WORKFORCE_TIMEZONE',
    ])
  })

  it.each<[string, Environment]>([
    ['ADMIN_TOKEN', { HOST: '0.0.0.0' }],
    ['ADMIN_TOKEN', { DATABASE_URL: `postgres://me:${secret}@db/feeds` }],
    ['WORKFORCE_TIMEZONE', { WORKFORCE_BASE_URL: 'https://hr.example' }],
  ])('%s that is missing', (key, environment) => {
    const sentences = faultsOf(environment)
    expect(sentences).toHaveLength(1)
    expect(sentences[0]).toMatch(new RegExp(`^${key} must be set .+\\.$`))
    expect(sentences[0]).not.toContain(secret)
  })
})

describe('a setting that does not exist', () => {
  it.each([
    ['WORKFORCE_TIMEZON', 'WORKFORCE_TIMEZON is no setting: did you mean WORKFORCE_TIMEZONE?'],
    ['WORKFORCE_BASEURL', 'WORKFORCE_BASEURL is no setting: did you mean WORKFORCE_BASE_URL?'],
    ['FEED_FRESH_MINUTES', 'FEED_FRESH_MINUTES is no setting: did you mean FEED_FRESH_SECONDS?'],
    ['WORKFORCE_AUTH_FIL', 'WORKFORCE_AUTH_FIL is no setting: did you mean WORKFORCE_AUTH_FILE?'],
    ['FEED_X', 'FEED_X is no setting; the nearest that exists is FEED_STALE_DAYS.'],
    ['OIDC_ISSUE', 'OIDC_ISSUE is no setting: did you mean OIDC_ISSUER?'],
    ['SMTP_ULR', 'SMTP_ULR is no setting: did you mean SMTP_URL?'],
    ['OIDC_CLIENTID', 'OIDC_CLIENTID is no setting: did you mean OIDC_CLIENT_ID?'],
    ['OICD_ISSUER', 'OICD_ISSUER is no setting: did you mean OIDC_ISSUER?'],
    ['STMP_URL', 'STMP_URL is no setting: did you mean SMTP_URL?'],
    ['MAIL_FORM', 'MAIL_FORM is no setting: did you mean MAIL_FROM?'],
    ['MAILFROM', 'MAILFROM is no setting: did you mean MAIL_FROM?'],
    ['SESSION_HOUR', 'SESSION_HOUR is no setting: did you mean SESSION_HOURS?'],
  ])('%s stops the start', (name, sentence) => {
    expect(faultsOf({ [name]: secret })).toEqual([sentence])
  })

  it.each([
    ['PUBLIC_ULR', 'PUBLIC_URL'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['TRUST_PROXI', 'TRUST_PROXY'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['COMPANIES_FLE', 'COMPANIES_FILE'],
  ])('%s is taken for a misspelt one in .env alone', (name, meant) => {
    const environment = { [name]: secret }
    const saying = `${name} is no setting: did you mean ${meant}?`
    expect(() => readSettings(environment, undefined, [name])).toThrow(saying)
    expect(readSettings(environment)).toEqual(readSettings({}))
  })

  it.each(['PGPORT', 'NODE_ENV', 'NO_COLOR', 'TZ', 'LANG', 'ALL_PROXY', 'POSTGRES_PASSWORD'])(
    '%s in .env is of other programs',
    (name) => {
      expect(readSettings({ [name]: 'x' }, undefined, [name])).toEqual(readSettings({}))
    },
  )

  it('is named beside all else that is wrong, even where a file replaces it', async () => {
    const file = await fileOf([{ id: 'north', baseUrl: 'https://n.example', timezone: 'UTC' }])
    const sentences = faultsOf({ COMPANIES_FILE: file, WORKFORCE_DAYS: 'utc', PORT: 'a' })
    expect(sentences.map((sentence) => sentence.split(' ')[0])).toEqual(['WORKFORCE_DAYS', 'PORT'])
  })

  it('is not what is empty, belongs to other programs, or is set by the machinery of containers', () => {
    const links = {
      SMTP_PORT: 'tcp://10.0.0.7:25',
      SMTP_PORT_25_TCP_ADDR: '10.0.0.7',
      SMTP_SERVICE_HOST: '10.0.0.7',
      WORKFORCE_SERVICE_PORT_HTTP: '80',
    }
    const others = { FEEDS: 'x', MY_WORKFORCE_ID: 'x', WORKFORCE_TIMEZON: '', SMTPD_HOST: 'x' }
    const alike = {
      MAIL: 'x',
      MAIL_HOST: 'x',
      MAIL_PORT: '25',
      SESSION_MANAGER: 'x',
      SFTP_URL: 'x',
    }
    expect(readSettings({ ...links, ...others, ...alike })).toEqual(readSettings({}))
    expect(faultsOf({ SMTP_PORT: '25' })).toHaveLength(1)
  })
})

describe('a secret in a file', () => {
  it('stands for the setting, without the end of its line', async () => {
    const credentialFile = await textFile(`bearer:${secret}\r\n`)
    const settings = read({
      ...elsewhere,
      WORKFORCE_AUTH_FILE: credentialFile,
      ADMIN_TOKEN_FILE: await textFile(`${secret}\n`),
      DATABASE_URL_FILE: await textFile('postgres://db/feeds'),
      WORKFORCE_DATABASE_URL_FILE: await textFile('file:./api.sqlite\n'),
    })
    expect(settings).toMatchObject({
      adminToken: secret,
      databaseUrl: 'postgres://db/feeds',
      sandboxDatabaseUrl: 'file:./api.sqlite',
      companies: [{ connection: { authentication: { scheme: 'bearer', token: secret } } }],
    })
    const [inline] = companiesOf({ ...elsewhere, WORKFORCE_AUTH: `bearer:${secret}` })
    expect(settings.companies).toEqual([{ ...inline, credentialFile }])
  })

  it('has to be there, and to be the only one', async () => {
    const rule = 'must name a readable file that holds the secret and nothing else'
    const exposed = { HOST: '0.0.0.0', ADMIN_TOKEN_FILE: `/nowhere/${secret}` }
    expect(faultsOf(exposed)).toEqual([`ADMIN_TOKEN_FILE ${rule}.`])
    const empty = { ADMIN_TOKEN_FILE: await textFile('\n') }
    expect(faultsOf(empty)).toEqual([`ADMIN_TOKEN_FILE ${rule}.`])
    const both = { ADMIN_TOKEN: secret, ADMIN_TOKEN_FILE: await textFile(secret) }
    expect(faultsOf(both)).toEqual(['ADMIN_TOKEN and ADMIN_TOKEN_FILE must not both be set.'])
    const short = { ADMIN_TOKEN_FILE: await textFile('short') }
    expect(faultsOf(short)).toEqual(['ADMIN_TOKEN must have 16 characters or more.'])
  })
})

describe('a credential over plain http', () => {
  const exposed = {
    ...elsewhere,
    WORKFORCE_BASE_URL: 'http://hr.example',
    WORKFORCE_AUTH: `bearer:${secret}`,
  }

  it('to another machine stops the start', () => {
    const [sentence, ...others] = faultsOf(exposed)
    expect(sentence).toMatch(/^WORKFORCE_AUTH must not be sent over http .*ALLOW_INSECURE=true\.$/)
    expect(sentence).not.toContain(secret)
    expect(others).toEqual([])
  })

  it.each([
    { ...exposed, ALLOW_INSECURE: 'true' },
    { ...exposed, WORKFORCE_AUTH: 'none' },
    ...['https://hr.example', 'http://localhost:1', 'http://127.8.0.1', 'http://[::1]:1'].map(
      (url) => ({ ...exposed, WORKFORCE_BASE_URL: url }),
    ),
    { WORKFORCE_AUTH: `bearer:${secret}` },
  ])('is fine: %j', (environment) => {
    expect(() => readSettings(environment)).not.toThrow()
  })

  it('of a company in a file says which', async () => {
    const company = { baseUrl: 'http://hr.example', timezone: 'UTC', auth: `query:k:${secret}` }
    const file = await fileOf([
      { id: 'north', baseUrl: 'https://hr.example', timezone: 'UTC' },
      { id: 'south', ...company },
    ])
    expect(faultsOf({ COMPANIES_FILE: file })).toMatchObject([
      expect.stringMatching(
        /^COMPANIES_FILE: auth of the 2nd company \(south\) must not be sent over http /,
      ),
    ])
  })
})

describe('COMPANIES_FILE', () => {
  const north = {
    id: 'north',
    baseUrl: 'https://north.example/',
    timezone: 'Europe/Oslo',
    pagination: { tasks: 'link' },
  }

  it('sets as many companies as it holds, with the same defaults', async () => {
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

  it('replaces the keys of the one company', async () => {
    const file = await fileOf([north])
    const one = { WORKFORCE_BASE_URL: 'https://other.example', WORKFORCE_COMPANY: 'other' }
    const { companies, replaced } = read({ COMPANIES_FILE: file, ...one, WORKFORCE_AUTH: '' })
    expect(companies?.map(({ company }) => company.id)).toEqual(['north'])
    expect(replaced).toEqual(['WORKFORCE_BASE_URL', 'WORKFORCE_COMPANY'])
  })

  it.each<[string, unknown]>([
    ['auth of the 1st', [{ ...north, auth: secret }]],
    ['baseUrl of the 1st', [{ ...north, baseUrl: `https://me:${secret}@north.example` }]],
    ['timezone of the 1st', [{ id: 'north', baseUrl: north.baseUrl }]],
    [
      'scheduleTimezones.sch of the 2nd',
      [north, { ...north, id: 'b', scheduleTimezones: { sch: secret } }],
    ],
    ['scheduleTimezones of the 1st', [{ ...north, scheduleTimezones: { '': 'UTC' } }]],
    ['the 2nd of projects of the 1st', [{ ...north, projects: ['prj_a', 3] }]],
    ['the 1st of schedules of the 1st', [{ ...north, schedules: [''] }]],
    ['id of the 1st', [{ ...north, id: 3 }]],
    ['pagination of the 1st', [{ ...north, pagination: 3 }]],
    ['params.leaves.employee of the 1st', [{ ...north, params: { leaves: { employee: '' } } }]],
  ])('%s that is wrong is one sentence', async (key, companies) => {
    const sentences = faultsOf({ COMPANIES_FILE: await fileOf(companies) })
    expect(sentences).toHaveLength(1)
    expect(sentences[0]).toMatch(
      new RegExp(`^COMPANIES_FILE: ${key} company( \\(\\w+\\))? must .+\\.$`),
    )
    expect(sentences[0]).not.toContain(secret)
  })

  it.each<[string, unknown]>([
    ['a key that does not exist', [{ ...north, token: secret }]],
    ['no company', []],
    ['no list', { north }],
    ['an id that stands there twice', [north, north]],
  ])('with %s is refused in one sentence', async (_, companies) => {
    const sentences = faultsOf({ COMPANIES_FILE: await fileOf(companies) })
    expect(sentences).toHaveLength(1)
    expect(sentences[0]).toMatch(/^COMPANIES_FILE:? .+\.$/)
    expect(sentences[0]).not.toContain(secret)
  })

  it('says at every level which company, which key, and what was meant', async () => {
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
      'COMPANIES_FILE: params.leaves of the 1st company (north) must not hold "user"; it may hold employee, status.',
      'COMPANIES_FILE: params of the 1st company (north) must not hold "leave": did you mean leaves?',
      'COMPANIES_FILE: the 1st company (north) must not hold "timezon": did you mean timezone?',
      'COMPANIES_FILE: pagination of the 2nd company (south) must not hold "task": did you mean tasks?',
      'COMPANIES_FILE: the 2nd company (south) must not hold "base_url": did you mean baseUrl?',
    ])
  })

  it('has the credential of a company in a file of its own', async () => {
    const authFile = await textFile(`bearer:${secret}\n`)
    const settings = read({ COMPANIES_FILE: await fileOf([{ ...north, authFile }]) })
    const inline = read({ COMPANIES_FILE: await fileOf([{ ...north, auth: `bearer:${secret}` }]) })
    expect(settings.companies?.[0]).toEqual({ ...inline.companies?.[0], credentialFile: authFile })
    const wrong = [
      { ...north, authFile: `/nowhere/${secret}` },
      { ...north, id: 'b', authFile, auth: 'none' },
    ]
    expect(faultsOf({ COMPANIES_FILE: await fileOf(wrong) })).toEqual([
      'COMPANIES_FILE: authFile of the 1st company (north) must name a readable file that holds the secret and nothing else.',
      'COMPANIES_FILE: authFile of the 2nd company (b) must not be set beside auth.',
    ])
  })

  it('replaces even wrong keys of the one company', async () => {
    const file = await fileOf([north])
    const settings = read({ COMPANIES_FILE: file, WORKFORCE_TIMEZONE: 'Nope' })
    expect(settings.companies).toHaveLength(1)
  })

  it('that cannot be read is refused with its path and why', async () => {
    const text = await textFile('')
    for (const [file, reason] of [
      ['/nowhere/companies.json', 'there is none'],
      [path.dirname(text), 'it is a folder'],
      [path.join(text, 'companies.json'), 'there is no such folder'],
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

  it.each([
    ['', 'line 1, column 1'],
    [`{"auth": "${secret}"`, 'line 1, column 36'],
    [`[\r\n  {"id": "ä€𝄞", ${secret}}\r\n]`, 'line 2, column 17'],
    [`[\n  {"auth": "${secret}"},\n]`, 'line 3, column 1'],
    [`[{"auth": "${secret}\n`, 'line 1, column 36'],
    [`[] ${secret}`, 'line 1, column 4'],
  ])('that is no JSON is told where it goes wrong: %j', async (text, place) => {
    expect(faultsOf({ COMPANIES_FILE: await textFile(text) })).toEqual([
      `COMPANIES_FILE must name a file of JSON: this one goes wrong at ${place}.`,
    ])
  })

  it('with an id that stands there several times is told all places, with whatever else is wrong', async () => {
    const file = await fileOf([
      north,
      { ...north, id: 'b', dates: 'gmt' },
      { ...north, timezone: 'nowhere' },
      { ...north, id: 'b' },
      { ...north },
    ])
    expect(faultsOf({ COMPANIES_FILE: file })).toEqual([
      'COMPANIES_FILE: dates of the 2nd company (b) must be utc or local.',
      'COMPANIES_FILE: timezone of the 3rd company (north) must be an IANA time zone such as Europe/Berlin.',
      'COMPANIES_FILE: the 1st company (north), the 3rd company (north) and the 5th company (north) must not have the same id.',
      'COMPANIES_FILE: the 2nd company (b) and the 4th company (b) must not have the same id.',
    ])
  })

  it('may hold numbers as texts, which is how the environment writes them, and no text as a number', async () => {
    const written = { ...north, timeoutMs: '1500', concurrency: 3 }
    const { companies } = read({ COMPANIES_FILE: await fileOf([written]) })
    expect(companies?.[0]?.connection).toMatchObject({ timeoutMs: 1500, concurrency: 3 })
    const wrong = { ...north, name: 3, timeoutMs: ' 1500', concurrency: '3.0', bodyBytesMax: true }
    expect(faultsOf({ COMPANIES_FILE: await fileOf([wrong]) })).toEqual([
      'COMPANIES_FILE: name of the 1st company (north) must be of type string.',
      'COMPANIES_FILE: timeoutMs of the 1st company (north) must be a whole number from 1 to 600000.',
      'COMPANIES_FILE: concurrency of the 1st company (north) must be a whole number from 1 to 1000.',
      'COMPANIES_FILE: bodyBytesMax of the 1st company (north) must be a whole number from 1 to 1073741824.',
    ])
  })

  it('tells of a key that is misspelt once, and of one that is missing', async () => {
    const { baseUrl, ...others } = north
    const misspelt = await fileOf([{ ...others, baseURL: baseUrl }])
    expect(faultsOf({ COMPANIES_FILE: misspelt })).toEqual([
      'COMPANIES_FILE: the 1st company (north) must not hold "baseURL": did you mean baseUrl?',
    ])
    expect(faultsOf({ COMPANIES_FILE: await fileOf([others]) })).toEqual([
      'COMPANIES_FILE: baseUrl of the 1st company (north) must be set.',
    ])
  })

  it('says all that is wrong at once, in the environment too', async () => {
    const file = await fileOf([
      { ...north, timezone: 'nowhere' },
      { ...north, id: 'b', dates: 'gmt' },
    ])
    const sentences = faultsOf({ COMPANIES_FILE: file, PORT: 'a' })
    expect(sentences).toHaveLength(3)
  })
})

function companiesOf(environment: Environment): NonNullable<Settings['companies']> {
  return read(environment).companies ?? []
}

function read(environment: Environment): Settings {
  return readSettings(environment, (file) => readFileSync(file, 'utf8'))
}

/** The sentences with which the start is refused. */
function faultsOf(environment: Environment): readonly string[] {
  try {
    read(environment)
  } catch (error) {
    const known = asAppError(error)
    if (known?.code === 'invalid') return known.message.split('\n')
    throw error
  }
  throw new Error('These settings are right.')
}

/** A zone must be set with a base URL, right or wrong. */
function zoneFor(key: string): Environment {
  return key === 'WORKFORCE_BASE_URL' ? { WORKFORCE_TIMEZONE: 'Europe/Berlin' } : {}
}

function fileOf(companies: unknown): Promise<string> {
  return textFile(JSON.stringify(companies))
}

async function textFile(text: string): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'settings-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const file = path.join(directory, 'file')
  await writeFile(file, text)
  return file
}

it.each([
  ['127.0.0.2', '127.0.0.2'],
  ['localhost', 'localhost'],
  ['::1', '::1'],
  ['[::1]', '::1'],
])('HOST=%s is this machine alone: no admin token must be set', (HOST, host) => {
  expect(read({ HOST }).host).toBe(host)
})
