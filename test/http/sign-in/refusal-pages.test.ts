/* Every way in which a sign-in comes to nothing, met as people meet it, in each language: what is wrong, what to do, no more. */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import path from 'node:path'

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'

import type { SignInRefusal } from '../../../src/access/sign-in/provider.ts'
import { see } from '../../support/adversary/seen-people.ts'
import { readsFrom, startBridge, type TestBridge } from '../../support/bridge/bridge.ts'
import { type LogLine, recordedLog } from '../../support/bridge/recorded-log.ts'
import { type CompanyServer, startCompanyServer } from '../../support/company/company-server.ts'
import { TestBrowser } from '../../support/web/identity-provider.ts'
import {
  type Lies,
  type RogueProvider,
  startRogueProvider,
} from '../../support/web/rogue-provider.ts'

const log: LogLine[] = []
/** What no page may repeat. */
const told = '<script>alert("provider says")</script>'
let provider: RogueProvider
let company: CompanyServer
/** One whose people are known by their address, and one of two companies whose people are known by their id. */
const bridges: { byMail?: TestBridge; byId?: TestBridge } = {}

beforeAll(async () => {
  provider = await startRogueProvider()
  company = await startCompanyServer()
  const { environment } = provider
  const shared = { ...environment, ...readsFrom(company.url), OIDC_ADMIN: 'groups=hr-admins' }
  bridges.byMail = await startBridge({ environment: shared, log: recordedLog(log) })
  const file = path.join(inject('temporaryFolder'), `${randomBytes(8).toString('hex')}.json`)
  const companies = ['north', 'south'].map((id) => ({ id, baseUrl: company.url, timezone: 'UTC' }))
  writeFileSync(file, JSON.stringify(companies))
  const byId = { ...environment, COMPANIES_FILE: file, OIDC_PERSON: 'claim:workforce_id' }
  bridges.byId = await startBridge({ environment: byId, log: recordedLog(log) })
  await see(
    bridges.byMail,
    { id: 'usr_twin_1', email: 'twin@sign-in.example' },
    { id: 'usr_twin_2', email: 'twin@sign-in.example' },
    { id: 'usr_left', email: 'left@sign-in.example', state: 'user_inactive' },
  )
  await see(
    bridges.byId,
    { id: '7', companyId: 'north' },
    { id: '7', companyId: 'south' },
    { id: '8', companyId: 'south', state: 'user_missing' },
  )
})

afterAll(async () => {
  for (const bridge of Object.values(bridges)) await bridge.close()
  await provider.close()
  await company.close()
})

const byMail = (email: unknown, more: object = {}): Lies => ({ idToken: { email, ...more } })
const byId = (id: unknown): Lies => ({ idToken: { workforce_id: id } })
const refuses = (error: string, status: number) => (response: ServerResponse) => {
  response.writeHead(status, { 'Content-Type': 'application/json' })
  response.end(JSON.stringify({ error, error_description: told }))
}

interface Way {
  readonly status: number
  readonly lies: Lies
  readonly by?: keyof typeof bridges
}

const ways: Readonly<Record<SignInRefusal, Way>> = {
  unknown_mail: { status: 403, lies: byMail('stranger@sign-in.example') },
  mail_of_several: { status: 403, lies: byMail('twin@sign-in.example') },
  unverified_mail: { status: 403, lies: byMail('twin@sign-in.example', { email_verified: told }) },
  no_mail: { status: 403, lies: byMail(told) },
  no_id: { status: 403, lies: byId([told]), by: 'byId' },
  unknown_id: { status: 403, lies: byId(told), by: 'byId' },
  id_of_several: { status: 403, lies: byId('7'), by: 'byId' },
  has_left: { status: 403, lies: byMail('left@sign-in.example') },
  groups_left_out: { status: 403, lies: byMail('boss@x.example', { _claim_names: { groups: 1 } }) },
  not_begun_here: { status: 400, lies: { answer: { state: told } } },
  cancelled: {
    status: 403,
    lies: { answer: { code: null, error: 'access_denied', error_description: told } },
  },
  code_refused: { status: 400, lies: { answers: { '/token': refuses('invalid_grant', 400) } } },
  answer_wrong: { status: 400, lies: { idToken: { iss: told } } },
  provider_away: { status: 503, lies: { answers: { '/token': (response) => response.destroy() } } },
  provider_wrong: { status: 502, lies: { answers: { '/token': refuses(told, 500) } } },
  set_up_wrong: { status: 502, lies: { answers: { '/token': refuses(told, 400) } } },
}

async function refusal({ lies, by = 'byMail' }: Way, language: string) {
  provider.lie(lies)
  const browser = new TestBrowser()
  const headers = { 'Accept-Language': language }
  const url = bridges[by]?.url ?? ''
  const stopsAt = ({ pathname }: URL): boolean => pathname === '/sign-in/callback'
  const back = await browser.follow(`${url}/sign-in`, { init: { headers }, stopsAt })
  const response = await browser.ask(back.url, { headers })
  return { browser, url, response, page: await response.text() }
}

/** What people read, element by element. */
function read(page: string): Readonly<Record<string, string | undefined>> {
  const [, main = ''] = /<main[^>]*>(.*)<\/main>/s.exec(page) ?? []
  const [text, hint] = [...main.matchAll(/<p(?: class="quiet"| data-reason)?>([^<]+)<\/p>/g)].map(
    ([, words]) => words,
  )
  const heading = /<h1>([^<]+)<\/h1>/.exec(main)?.[1]
  const language = /<html lang="(\w\w)/.exec(page)?.[1]
  return { title: /<title>([^<]+)<\/title>/.exec(page)?.[1], language, heading, text, hint }
}

const technical = /script|alert|provider says|OAUTH|[a-z]_[a-z]|\bat \S+:\d|undefined|null|\{|Error/

describe.each(Object.keys(ways) as SignInRefusal[])('%s', (reason) => {
  it('the refusal page says what to do, in both languages', async () => {
    const shown = []
    for (const language of ['en', 'de']) {
      const { browser, url, response, page } = await refusal(ways[reason], language)
      expect(log.at(-1)).toMatchObject({ event: 'sign_in_refused', data: { reason } })
      expect(JSON.stringify(log.at(-1))).not.toContain('provider says')
      expect(response.status).toBe(ways[reason].status)
      expect(response.headers.get('content-language') ?? language).toBe(language)
      expect(response.headers.get('vary')).toMatch(/accept-language/i)
      expect(browser.jar(url).has('cfb_session')).toBe(false)
      const words = read(page)
      expect(words).toMatchObject({ language, title: expect.stringContaining(words['heading']!) })
      for (const name of ['text', 'hint']) expect(words[name]).toMatch(/^\p{Lu}.{20,}\.$/u)
      expect(Object.values(words).join(' ')).not.toMatch(technical)
      expect(page).not.toContain('provider says')
      expect(page).toContain('<a class="button" href="/sign-in">')
      shown.push(words)
    }
    const [english, german] = shown
    for (const name of ['heading', 'text', 'hint']) expect(german?.[name]).not.toBe(english?.[name])
    expect(english?.['hint']).toMatch(/\b(?:[Aa]sk|[Tt]ell|Try|Begin|Confirm|allow)\b/)
    expect(german?.['hint']).toMatch(
      /\b(?:[Ff]ragen|[Ss]agen|Bitten|Versuchen|Beginnen|Bestätigen) Sie\b/,
    )
  })
})

it('any other language gets the English page', async () => {
  const { page } = await refusal(ways.no_mail, 'fr-FR,fr;q=0.9')
  expect(read(page)).toMatchObject({
    language: 'en',
    heading: 'Your account has no email address',
  })
})
