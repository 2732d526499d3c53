/* An installation with sign-in and mail whose every page can be opened: each in its states, each refusal. */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import path from 'node:path'

import type { Page } from 'playwright-core'
import { inject } from 'vitest'

import type { SignInRefusal } from '../../../src/access/sign-in/provider.ts'
import { type CompanyServer, startCompanyServer } from '../company/company-server.ts'
import { leave, twoPeople } from '../company/people.ts'
import { type Lies, type RogueProvider, startRogueProvider } from '../web/rogue-provider.ts'
import { calendarUrl, readsFrom, startBridge, type TestBridge } from './bridge.ts'
import { createFakeClock, type FakeClock } from './fake-clock.ts'
import type { TestNode } from './node.ts'
import { signIn, signInPerson, type Visitor } from './own-page.ts'

export interface Installation {
  readonly bridge: TestBridge
  readonly node: TestNode
  /** One that knows people by their ids, of two companies. */
  readonly byId: TestBridge
  /** One that knows people by their addresses, of two companies. */
  readonly ofTwo: TestBridge
  readonly clock: FakeClock
  readonly provider: RogueProvider
  readonly company: CompanyServer
  /** Who is signed in, by what there is to be seen of theirs. */
  readonly visitors: Readonly<Record<Kind, Visitor>>
  readonly close: () => Promise<void>
}

type Kind = (typeof kinds)[number] | 'unknown' | 'staff' | 'chief'
const kinds = ['new', 'ended', 'closed', 'one', 'several', 'fixed', 'unserved'] as const
const longName = 'Kalender der Bereitschaftsdienste, Schichtübergaben und Vertretungen im Südosten'
const unbroken = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'

/** Starts it. */
export async function startInstallation(): Promise<Installation> {
  const clock = createFakeClock(Date.now())
  const company = await startCompanyServer()
  Object.assign(company.records, twoPeople())
  const provider = await startRogueProvider({ OIDC_ADMIN: 'groups=hr' })
  const environment = {
    ...provider.environment,
    ...readsFrom(company.url),
    WORKFORCE_PROJECTS: 'prj_web',
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'calendar@sample.example',
  }
  const bridge = await startBridge({ environment, clock })
  const ids = idsOf(provider, company)
  const byId = await startBridge({ environment: ids, clock })
  const ofTwo = await startBridge({ environment: { ...ids, OIDC_PERSON: 'email' }, clock })
  const node = await bridge.node()
  const visitors = await fill({ bridge, node, company, clock })
  await know(bridge, 'main', { id: 'usr_twin_a', email: 'twin@sign-in.example' })
  await know(bridge, 'main', { id: 'usr_twin_b', email: 'twin@sign-in.example' })
  await know(bridge, 'main', { id: 'usr_left', email: 'left@sign-in.example' }, 'user_inactive')
  for (const id of ['north', 'south']) {
    await know(byId, id, { id: 'usr_both' })
    await know(ofTwo, id, { id: 'usr_both', email: 'both@sign-in.example' })
  }
  const close = async (): Promise<void> => {
    for (const one of [bridge, byId, ofTwo, provider, company]) await one.close()
  }
  return { bridge, node, byId, ofTwo, clock, provider, company, visitors, close }
}

function idsOf(provider: RogueProvider, company: CompanyServer): Record<string, string> {
  const file = path.join(inject('temporaryFolder'), `${randomBytes(8).toString('hex')}.json`)
  const companies = ['north', 'south'].map((id) => ({
    id,
    baseUrl: company.url,
    timezone: 'Europe/Berlin',
  }))
  writeFileSync(file, JSON.stringify(companies))
  return { ...provider.environment, COMPANIES_FILE: file, OIDC_PERSON: 'claim:employee_id' }
}

async function know(
  bridge: TestBridge,
  companyId: string,
  person: { readonly id: string; readonly email?: string },
  state: 'active' | 'user_inactive' = 'active',
): Promise<void> {
  const { people } = (await bridge.node()).store
  const user = { firstName: 'A', lastName: 'B', ...person }
  await people.seePeople(companyId, [user], 1)
  const reading = { userId: user.id, state, user, readAt: 2 } as const
  await people.keepReading(companyId, reading, Number.MAX_SAFE_INTEGER)
}

/** Somebody for each of the kinds, who has what it says. */
async function fill({
  bridge,
  node,
  company,
  clock,
}: Pick<Installation, 'bridge' | 'node' | 'company' | 'clock'>): Promise<Installation['visitors']> {
  const { users, leaves } = company.records
  for (const kind of kinds) {
    users.push({ id: `usr_${kind}`, firstName: kind, lastName: 'Test', isActive: true })
    leaves[`usr_${kind}`] = [leave(`lv_${kind}`, new Date().toISOString().slice(0, 10))]
  }
  const make = (kind: Kind, more: object = {}): ReturnType<TestBridge['createFeed']> =>
    bridge.createFeed({ userIds: [`usr_${kind}`], ...more })
  const ended = await make('ended')
  await bridge.api('DELETE', `/api/feeds/${ended.id}`)
  const closed = await make('closed')
  const closing = { closedAt: 1, closedBecause: 'user_inactive' }
  await node.store.feeds.changeFeed(closed.id, (feed) => ({ ...feed, ...closing }))
  await fetch(calendarUrl(await make('one')))
  await make('fixed', { options: { selfService: false } })
  await fillSeveral({ bridge, clock }, make)
  await make('unserved')
  const signed = kinds.map(async (kind) => [kind, await signInPerson(node, `usr_${kind}`)] as const)
  const staff = { actor: 'staff:boss@sample.example', role: 'admin' } as const
  const person = { companyId: 'main', userId: 'usr_one' }
  return {
    ...(Object.fromEntries(await Promise.all(signed)) as Record<(typeof kinds)[number], Visitor>),
    unknown: await signInPerson(node, 'usr_unknown'),
    staff: await signIn(node, { person: null, staff }),
    chief: await signIn(node, {
      person,
      staff: { ...staff, actor: `staff:${unbroken}@sample.example` },
    }),
  }
}

/** Names and labels as long as they may be, of one word, and that run the other way. */
async function fillSeveral(
  { bridge, clock }: Pick<Installation, 'bridge' | 'clock'>,
  make: (kind: Kind, more?: object) => ReturnType<TestBridge['createFeed']>,
): Promise<void> {
  const { id } = await make('several', { name: longName })
  await clock.advance(1000)
  await make('several', { name: unbroken })
  await make('several', { name: 'יומן \u202Eעבודה.', locale: 'de' })
  for (const label of ['phone', unbroken, 'x\u202Eabc\u2069 def', 'w '.repeat(50).trim()]) {
    await bridge.api('POST', `/api/feeds/${id}/links`, { label })
  }
  for (const label of ['default', 'phone']) {
    await bridge.api('POST', `/api/feeds/${id}/rotations`, { label, graceDays: 7 })
  }
}

const answer =
  (status: number, text: string) =>
  (response: ServerResponse): void => {
    response.writeHead(status, { 'Content-Type': 'application/json' })
    response.end(text)
  }

const mailed = (email: string): Lies => ({ idToken: { email } })
const said = (error: string): Lies => ({ answer: { code: null, error } })

/** What leads to each refusal. */
export const refusals: Readonly<Record<SignInRefusal, Lies>> = {
  unknown_mail: mailed('stranger@sign-in.example'),
  mail_of_several: mailed('twin@sign-in.example'),
  unverified_mail: { idToken: { email_verified: false } },
  no_mail: { idToken: { email: undefined } },
  no_id: { idToken: { employee_id: undefined } },
  unknown_id: { idToken: { employee_id: 'usr_nobody' } },
  id_of_several: { idToken: { employee_id: 'usr_both' } },
  has_left: mailed('left@sign-in.example'),
  groups_left_out: {
    idToken: { email: 'boss@sign-in.example', _claim_names: { groups: 'src1' } },
  },
  not_begun_here: { answer: { state: 'another' } },
  cancelled: said('access_denied'),
  code_refused: { answers: { '/token': answer(400, '{"error":"invalid_grant"}') } },
  answer_wrong: { idToken: { nonce: 'another' } },
  provider_away: said('temporarily_unavailable'),
  provider_wrong: { answers: { '/token': answer(200, 'no JSON') } },
  set_up_wrong: said('invalid_scope'),
}

/** Signs in as somebody whom two companies know. */
export async function openCompanies({ ofTwo, provider }: Installation, page: Page): Promise<void> {
  provider.lie(mailed('both@sign-in.example'))
  await page.goto(`${ofTwo.url}/sign-in`)
}

/** Signs in so that it comes to that refusal. */
export async function openRefusal(
  { bridge, byId, provider }: Installation,
  page: Page,
  refusal: SignInRefusal,
): Promise<void> {
  provider.lie(refusals[refusal])
  const isById = refusal.startsWith('id_') || refusal.endsWith('_id')
  await page.goto(`${(isById ? byId : bridge).url}/sign-in`)
}
