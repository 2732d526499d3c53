import { describe, expect, it } from 'vitest'

import { readSettings } from '../../src/settings/read-settings.ts'
import {
  elsewhere,
  secret,
  companiesOf,
  read,
  faultsOf,
  fileOf,
  textFile,
} from '../support/settings/environment.ts'

describe('a secret in a file', () => {
  it('replaces the setting, without its line end', async () => {
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

  it('must exist and be the only source of the secret', async () => {
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
  ])('is accepted: %j', (environment) => {
    expect(() => readSettings(environment)).not.toThrow()
  })

  it('is reported with its company if it is in a file of companies', async () => {
    const company = { baseUrl: 'http://hr.example', timezone: 'UTC', auth: `query:k:${secret}` }
    const file = await fileOf([
      { id: 'north', baseUrl: 'https://hr.example', timezone: 'UTC' },
      { id: 'south', ...company },
    ])
    expect(faultsOf({ COMPANIES_FILE: file })).toMatchObject([
      expect.stringMatching(
        /^COMPANIES_FILE: auth of company 2 \(south\) must not be sent over http /,
      ),
    ])
  })
})
