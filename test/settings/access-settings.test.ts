/* The settings of sign-in as people paste them: spaces that nobody sees, and what belongs to another kind of file. */
import { describe, expect, it } from 'vitest'

import { readSettings } from '../../src/settings/read-settings.ts'
import { bridgeTable, rowsOf } from '../../src/settings/tables.ts'

const issuer = 'https://id.example/realms/company'
const given = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'bridge' }

it('leading and trailing spaces make no difference', () => {
  const padded = {
    OIDC_ISSUER: ` ${issuer}\t`,
    OIDC_CLIENT_ID: ' bridge ',
    OIDC_PERSON: ' claim:workforce_id ',
    OIDC_ADMIN: ' groups = hr admins ',
    OIDC_SUPPORT: 'roles=calendar=support\r',
  }
  expect(readSettings(padded)).toMatchObject({
    oidcIssuer: issuer,
    oidcClientId: 'bridge',
    oidcPerson: { by: 'claim', name: 'workforce_id' },
    oidcAdmin: { claim: 'groups', value: 'hr admins' },
    oidcSupport: { claim: 'roles', value: 'calendar=support' },
  })
})

describe('settings that would lock everybody out stop the start in one sentence', () => {
  const claim =
    'must be CLAIM=VALUE, such as groups=hr-admins, with neither quotation marks around it nor a comment behind it.'
  const secret = 'must not begin or end with a space, nor hold more than one line.'
  const person = 'must be email or claim:NAME, the claim that holds the user id.'

  it.each([
    ['OIDC_ADMIN', '"groups=hr-admins"', claim],
    ['OIDC_ADMIN', "groups='hr-admins'", claim],
    ['OIDC_ADMIN', 'groups=hr-admins   # who may do all', claim],
    ['OIDC_ADMIN', 'groups= ', claim],
    ['OIDC_SUPPORT', 'groups', claim],
    ['OIDC_PERSON', 'email # who somebody is', person],
    ['OIDC_PERSON', 'claim: workforce_id', person],
    ['OIDC_PERSON', 'Email', person],
    ['OIDC_CLIENT_ID', '  ', 'must not be empty.'],
    ['OIDC_CLIENT_SECRET', ' a-secret', secret],
    ['OIDC_CLIENT_SECRET', 'a-secret ', secret],
    ['OIDC_CLIENT_SECRET', 'a-secret\nanother', secret],
  ])('%s=%j', (name, value, rule) => {
    expect(() => readSettings({ ...given, [name]: value })).toThrow(
      expect.objectContaining({ code: 'invalid', message: `${name} ${rule}` }),
    )
  })
})

it.each(['common/v2.0', 'Organizations/v2.0', 'consumers', '/common/v2.0/'])(
  'an issuer that admits accounts of every organization is rejected: %s',
  (tenant) => {
    const environment = { ...given, OIDC_ISSUER: `https://login.microsoftonline.com/${tenant} ` }
    expect(() => readSettings(environment)).toThrow(
      'OIDC_ISSUER must name the tenant by its own id: common, organizations and consumers let in the accounts of every other one.',
    )
  },
)

it('an issuer with the accounts of one organization is accepted', () => {
  const id = 'https://login.microsoftonline.com/8eaef023-2b34-4da1-9baa-8bc8c9d6a490/v2.0'
  expect(readSettings({ ...given, OIDC_ISSUER: id })).toMatchObject({ oidcIssuer: id })
})

describe('a missing letter or two swapped letters are noticed in every name that .env sets', () => {
  const names = rowsOf(bridgeTable)
    .map(({ environmentName }) => environmentName ?? '')
    .filter((name) => /^(?:OIDC|SMTP|MAIL|SESSION)_/.test(name))

  it.each([...names, 'OIDC_CLIENT_SECRET_FILE', 'SMTP_URL_FILE'])('%s', (name) => {
    const known = new Set(names)
    for (let at = name.indexOf('_') + 1; at < name.length; at += 1) {
      const [head, letter, next = '', tail] = [
        name.slice(0, at),
        name[at],
        name[at + 1],
        name.slice(at + 2),
      ]
      for (const slip of [`${head}${next}${tail}`, `${head}${next}${letter}${tail}`]) {
        if (known.has(slip) || slip === name) continue
        const rule = new RegExp(`^${slip} is not a setting; did you mean `)
        expect(() => readSettings({ [slip]: 'x' }, undefined, [slip])).toThrow(rule)
      }
    }
  })
})
