/* Ids and addresses that were given to somebody else since they were read: the new holder does not sign in as the old one. */
import { describe, expect } from 'vitest'

import { calendarUrl } from '../../support/bridge/bridge.ts'
import { it as bareIt, pollNow } from '../../support/bridge/fixtures.ts'
import { ada } from '../../support/company/people.ts'
import {
  type Followed,
  signInThrough,
  startIdentityProvider,
  TestBrowser,
} from '../../support/web/identity-provider.ts'

const known = { ...ada, email: 'ada@example.com' }
const accounts = {
  anybody: { employee_id: 'usr_ada', email: 'ada@example.com', email_verified: true },
}

const it = bareIt
  .extend('records', ({ records }) => ({ ...records, users: [known] }))
  .extend('rule', 'claim:employee_id')
  .extend('provider', async ({ rule }, { onCleanup }) => {
    const provider = await startIdentityProvider(accounts, { environment: { OIDC_PERSON: rule } })
    onCleanup(() => provider.close())
    return provider
  })
  .extend('settings', ({ provider }) => provider.environment)
  .extend('signIn', async ({ provider, bridge }) => {
    provider.register(bridge.url)
    const address = calendarUrl(await bridge.createFeed({ userIds: ['usr_ada'] }))
    expect((await pollNow(address)).status).toBe(200)
    return (): Promise<Followed> => signInThrough(new TestBrowser(), bridge.url, 'anybody')
  })

describe.for(['claim:employee_id', 'email'])('sign-in by %s', (rule) => {
  it.override('rule', rule)

  it('a known person signs in, also while the Read API fails', async ({ company, signIn }) => {
    expect((await signIn()).response.status).toBe(200)
    company.faults.set('/', 500)
    expect((await signIn()).response.status).toBe(200)
  })

  it('a person who has left can no longer sign in', async ({ company, signIn }) => {
    company.records.users = [{ ...known, isActive: false }]
    expect((await signIn()).response.status).toBe(403)
  })
})

it('a newcomer with the same id cannot sign in as the previous person', async ({
  company,
  signIn,
}) => {
  company.records.users = [{ ...ada, firstName: 'Eve', lastName: 'King', email: 'eve@example.com' }]
  expect((await signIn()).response.status).toBe(403)
})

describe('sign-in by email', () => {
  it.override('rule', 'email')

  it('a newcomer with the same address cannot sign in as the previous person', async ({
    company,
    signIn,
  }) => {
    const newcomer = { ...known, id: 'usr_ada2', lastName: 'King' }
    company.records.users = [{ ...known, email: 'ada.lovelace@example.com' }, newcomer]
    expect((await signIn()).response.status).toBe(403)
  })
})
