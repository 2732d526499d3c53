import path from 'node:path'

import { describe, expect, it } from 'vitest'

import {
  type Authentication,
  everyList,
  type ListPagination,
  type Pagination,
} from '../../src/domain/connection.ts'
import { defaultParameters } from '../../src/domain/read-api.ts'
import { readSettings } from '../../src/settings/read-settings.ts'
import { elsewhere, secret, companiesOf, read } from '../support/settings/environment.ts'

describe('no settings at all', () => {
  const settings = readSettings({})

  it('give a full configuration', () => {
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

  it('mean the same as empty settings', () => {
    expect(readSettings({ PORT: '', WORKFORCE_BASE_URL: '', ADMIN_TOKEN: '' })).toEqual(settings)
  })
})

describe('settings that are given', () => {
  it('apply to the Read API of another provider', () => {
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
  ])('WORKFORCE_PAGINATION=%s applies list by list', (setting, lists) => {
    const [company] = companiesOf({ ...elsewhere, WORKFORCE_PAGINATION: setting })
    const pagination = { ...everyList({ style: 'none' }), ...lists }
    expect(company?.connection.pagination).toEqual(pagination)
  })

  it('WORKFORCE_PARAMS overrides the defaults key by key', () => {
    const params = { leaves: { employee: 'who' }, timesheets: { from: null } }
    const [company] = companiesOf({ ...elsewhere, WORKFORCE_PARAMS: JSON.stringify(params) })
    expect(company?.connection.parameters).toEqual({
      ...defaultParameters,
      leaves: { ...defaultParameters.leaves, employee: 'who' },
      timesheets: { ...defaultParameters.timesheets, from: null },
    })
  })

  it('DATABASE_URL also determines the folder of the data', () => {
    expect(readSettings({ DATABASE_URL: 'file:/var/lib/feeds/b.sqlite' }).dataDirectory).toBe(
      '/var/lib/feeds',
    )
    const shared = { DATABASE_URL: 'postgres://db/feeds', ADMIN_TOKEN: secret }
    expect(readSettings(shared)).toMatchObject({ dataDirectory: 'data', adminToken: secret })
  })

  it('a different way to call the Read API makes another connection', () => {
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

  it('an equivalent paging setting keeps the connection', () => {
    const alike = ['page:p,n,50', '{"*": "page:p,n,50,1"}'].map(
      (WORKFORCE_PAGINATION) =>
        companiesOf({ ...elsewhere, WORKFORCE_PAGINATION })[0]?.connectionId,
    )
    expect(new Set(alike).size).toBe(1)
  })

  it('the connection of copies from earlier versions is kept', () => {
    expect(readSettings({}).embedded.company.connectionIdBefore).toBe(
      'uz_rShPTph0PsDApE6fzMfVkFcuUBp4_qfUAQWoJHfE',
    )
  })
})

describe('outgoing connections', () => {
  it('a proxy is set by its address, with its own credential if necessary', () => {
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

it.each([
  ['127.0.0.2', '127.0.0.2'],
  ['localhost', 'localhost'],
  ['::1', '::1'],
  ['[::1]', '::1'],
])('HOST=%s is only this machine and needs no admin token', (HOST, host) => {
  expect(read({ HOST }).host).toBe(host)
})
