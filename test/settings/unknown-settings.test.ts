import { describe, expect, it } from 'vitest'

import { readSettings } from '../../src/settings/read-settings.ts'
import { secret, faultsOf, fileOf } from '../support/settings/environment.ts'

describe('an unknown setting', () => {
  it.each([
    ['WORKFORCE_TIMEZON', 'WORKFORCE_TIMEZON is not a setting; did you mean `WORKFORCE_TIMEZONE`?'],
    ['WORKFORCE_BASEURL', 'WORKFORCE_BASEURL is not a setting; did you mean `WORKFORCE_BASE_URL`?'],
    [
      'FEED_FRESH_MINUTES',
      'FEED_FRESH_MINUTES is not a setting; did you mean `FEED_FRESH_SECONDS`?',
    ],
    [
      'WORKFORCE_AUTH_FIL',
      'WORKFORCE_AUTH_FIL is not a setting; did you mean `WORKFORCE_AUTH_FILE`?',
    ],
    [
      'FEED_X',
      'FEED_X is not a setting; there are FEED_FRESH_SECONDS, FEED_REFRESH_BUDGET_MS, FEED_STALE_DAYS, FEED_POLLS_PER_MINUTE.',
    ],
    ['OIDC_ISSUE', 'OIDC_ISSUE is not a setting; did you mean `OIDC_ISSUER`?'],
    ['SMTP_ULR', 'SMTP_ULR is not a setting; did you mean `SMTP_URL`?'],
    ['BRAND_COLOUR', 'BRAND_COLOUR is not a setting; did you mean `BRAND_COLOR`?'],
    ['BRAND_X', 'BRAND_X is not a setting; there are BRAND_NAME, BRAND_LOGO, BRAND_COLOR.'],
    ['OIDC_CLIENTID', 'OIDC_CLIENTID is not a setting; did you mean `OIDC_CLIENT_ID`?'],
  ])('%s stops the start', (name, sentence) => {
    expect(faultsOf({ [name]: secret })).toEqual([sentence])
  })

  it.each([
    ['PUBLIC_ULR', 'PUBLIC_URL'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['TRUST_PROXI', 'TRUST_PROXY'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['COMPANIES_FLE', 'COMPANIES_FILE'],
    ['OICD_ISSUER', 'OIDC_ISSUER'],
    ['STMP_URL', 'SMTP_URL'],
    ['MAIL_FORM', 'MAIL_FROM'],
    ['SESSION_HOUR', 'SESSION_HOURS'],
  ])('%s is taken for a misspelling only in .env', (name, meant) => {
    const environment = { [name]: secret }
    const saying = `${name} is not a setting; did you mean \`${meant}\`?`
    expect(() => readSettings(environment, undefined, [name])).toThrow(saying)
    expect(readSettings(environment)).toEqual(readSettings({}))
  })

  it.each(['PGPORT', 'NODE_ENV', 'NO_COLOR', 'TZ', 'LANG', 'ALL_PROXY', 'POSTGRES_PASSWORD'])(
    '%s in .env belongs to other programs',
    (name) => {
      expect(readSettings({ [name]: 'x' }, undefined, [name])).toEqual(readSettings({}))
    },
  )

  it('is named with all other faults, even if a file replaces it', async () => {
    const file = await fileOf([{ id: 'north', baseUrl: 'https://n.example', timezone: 'UTC' }])
    const sentences = faultsOf({ COMPANIES_FILE: file, WORKFORCE_DAYS: 'utc', PORT: 'a' })
    expect(sentences.map((sentence) => sentence.split(' ')[0])).toEqual(['WORKFORCE_DAYS', 'PORT'])
  })

  it('does not include names that are empty, of other programs or set by containers', () => {
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
