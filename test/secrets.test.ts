/* No secret stands anywhere but in the reply that makes it: searched for in all that a run of the program leaves behind. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'

import { describe, expect, inject } from 'vitest'

import { it as base } from './support/bridge/fixtures.ts'
import { spawnProgram } from './support/bridge/program.ts'
import { everythingIn } from './support/bridge/search-database.ts'
import type { CompanyServer } from './support/company/company-server.ts'
import { ada, twoPeople } from './support/company/people.ts'
import { anyDatabase } from './support/database/databases.ts'
import {
  clientSecret,
  signInThrough,
  startIdentityProvider,
  TestBrowser,
} from './support/web/identity-provider.ts'
import { type MailServer, startMailServer } from './support/web/mail-server.ts'
import { readMail } from './support/web/read-mail.ts'

const adminToken = 'admin-token-7f3a91c2d4'
const password = 'upstream-password-51b8'
const mailPassword = 'mail-password-88d1f0c2'
const basic = Buffer.from(`service:${password}`).toString('base64')

/** What a request to the admin API made. */
interface Made {
  readonly id: string
  readonly token?: string
}

/** Where mail goes, and to whom. */
interface Mailing {
  readonly server: MailServer
  readonly address: string
}

interface Program {
  readonly url: string
  readonly child: ChildProcess
  /** All that it has written. */
  written(): string
}

const it = base
  .extend('mail', 'ada@secrets.example')
  .extend('records', ({ mail: email }) => {
    const records = twoPeople()
    return {
      ...records,
      users: [{ ...ada, email }, ...records.users.slice(1)],
    }
  })
  .extend('provider', async ({ mail: email }, { onCleanup }) => {
    const accounts = { ada: { email, email_verified: true, groups: ['hr'] } }
    const provider = await startIdentityProvider(accounts, {
      environment: { OIDC_ADMIN: 'groups=hr' },
    })
    onCleanup(() => provider.close())
    return provider
  })
  .extend('settings', {
    PORT: '0',
    LOG_LEVEL: 'trace',
    ADMIN_TOKEN: adminToken,
    WORKFORCE_AUTH: `basic:service:${password}`,
    FEED_FRESH_SECONDS: '0',
    FEED_POLLS_PER_MINUTE: '12',
  })
  .extend('mailServer', async ({ mail: _ }, { onCleanup }) => {
    const server = await startMailServer({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: (_auth, _session, answer) => answer(null, { user: 'bridge' }),
    })
    onCleanup(() => server.close())
    return server
  })
  .extend(
    'program',
    async ({ databaseUrl, environment, provider, mailServer }, { onCleanup }): Promise<Program> => {
      const folder = path.join(inject('temporaryFolder'), path.basename(databaseUrl))
      await mkdir(folder, { recursive: true })
      const program = await startProgram(folder, {
        ...environment,
        ...provider.environment,
        ...mailServer.environment,
        SMTP_URL: `smtp://bridge:${mailPassword}@127.0.0.1:${mailServer.port}`,
      })
      provider.register(program.url)
      onCleanup(() => end(program))
      return program
    },
  )
  .extend('visitor', ({ program, company, mailServer, mail }) => {
    return new Visitor(program.url, company, { server: mailServer, address: mail })
  })

async function startProgram(
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<Program> {
  const child = spawnProgram(['serve'], { folder, environment })
  let written = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      written += text
    })
  }
  while (!/^Listens at (\S+)/m.test(written))
    await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
  const [, url = ''] = /^Listens at (\S+)/m.exec(written) ?? []
  return { url, child, written: () => written }
}

async function end({ child }: Program): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

/** Anyone who asks the program for something, rightly or not, and keeps what it answers. */
class Visitor {
  /** Bodies of all answers that are errors. */
  readonly errors: string[] = []
  /** Of all links. */
  readonly tokens = new Set<string>()
  /** Of sign-ins, their forms and the API. */
  readonly others = new Set<string>()
  readonly #url: string
  readonly #company: CompanyServer
  readonly #mailing: Mailing

  constructor(url: string, company: CompanyServer, mailing: Mailing) {
    this.#url = url
    this.#company = company
    this.#mailing = mailing
  }

  /** Everything that is done with links in their life, and much that goes wrong with them. */
  async useEverything(): Promise<void> {
    const feed = await this.#administer('POST', '/api/feeds', { userIds: ['usr_ada'] })
    await this.#administer('POST', '/api/feeds', { userIds: ['usr_ada', 'usr_bob'] })
    await this.#administer('POST', `/api/feeds/${feed.id}/links`, { label: 'phone' })
    await this.#administer('POST', `/api/feeds/${feed.id}/rotations`, { graceDays: 3 })
    await this.#pollAll()
    await this.#loseLink()
    this.#company.faults.set('/', 401)
    await this.#pollAll()
    this.#company.faults.clear()
    const [token = ''] = this.tokens
    await this.#goWrong(token)
    await this.#administer('GET', `/api/feeds/${token}`)
    await this.#administer('POST', '/api/feeds', { userIds: [token], name: 7, [token]: token })
    await this.#administer('GET', '/api/companies/main/examination')
    await this.#administer('DELETE', `/api/feeds/${feed.id}/links/phone`)
    await this.#replaceLink()
    await this.#signIn()
    await this.#giveTokens()
    await this.#getMail()
    await this.#administer('DELETE', `/api/feeds/${feed.id}`)
    for (let round = 0; round < 5; round += 1) await this.#pollAll()
  }

  async ask(
    method: string,
    address: string,
    { body, ...headers }: Record<string, string> = {},
  ): Promise<string> {
    const response = await fetch(new URL(address, this.#url), {
      method,
      headers,
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    })
    const text = await response.text()
    if (response.status >= 400) this.errors.push(text)
    return text
  }

  /** A request to the admin API; the links that it makes are remembered. */
  async #administer(method: string, address: string, body?: object): Promise<Made> {
    const text = await this.ask(method, address, {
      Authorization: `Bearer ${adminToken}`,
      'Content-Type': 'application/json',
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    for (const [token] of text.matchAll(/cfb_[\w-]{43}/g)) this.tokens.add(token)
    return text === '' ? { id: '' } : (JSON.parse(text) as Made)
  }

  /** By the page of a new feed. */
  async #replaceLink(): Promise<void> {
    await this.#administer('POST', '/api/feeds', { userIds: ['usr_bob'] })
    const [old] = [...this.tokens].slice(-1)
    const reply = await this.ask('POST', `/feeds/${old}`, {
      'Sec-Fetch-Site': 'same-origin',
      'Content-Type': 'application/x-www-form-urlencoded',
      body: 'action=replace&confirm=yes',
    })
    for (const [token] of reply.matchAll(/cfb_[\w-]{43}/g)) this.tokens.add(token)
  }

  /** As a person who is staff as well; each secret that the browser gets on its way is remembered. */
  async #signIn(): Promise<void> {
    const browser = new TestBrowser()
    await this.ask('GET', '/sign-in/callback?code=a-code&state=a-state')
    const before = await signInThrough(browser, this.#url, 'ada', 'before the callback')
    const signing = browser.cookies(this.#url)
    for (const name of ['code', 'state']) this.others.add(before.url.searchParams.get(name) ?? '')
    await browser.ask(before.url)
    // The same once more: the provider has it no longer.
    await this.ask('GET', before.url.href, { Cookie: signing, Accept: 'text/html' })
    const cookie = browser.cookies(this.#url)
    for (const [secret] of `${signing} ${cookie}`.matchAll(/cfs_[\w-]{43}/g))
      this.others.add(secret)
    const page = await this.ask('GET', '/me', { Cookie: cookie })
    const [, key = ''] = /name="key" value="([\w-]{43})"/.exec(page) ?? []
    const [, feed = ''] = /name="feed" value="(feed_\w+)"/.exec(page) ?? []
    this.others.add(key)
    const form = new URLSearchParams({
      action: 'link',
      feed,
      label: 'family',
      key,
      onlyAway: 'yes',
    })
    const sent = {
      Cookie: cookie,
      'Sec-Fetch-Site': 'same-origin',
      'Content-Type': 'application/x-www-form-urlencoded',
    }
    const made = await this.ask('POST', '/me', { ...sent, body: form.toString() })
    for (const [token] of made.matchAll(/cfb_[\w-]{43}/g)) this.tokens.add(token)
    await this.ask('POST', '/me', { ...sent, body: `${form.toString()}&x=y` })
    await this.ask('GET', `/api/feeds/${cookie.slice(-47)}`, { Cookie: cookie })
    await this.ask('POST', '/sign-out', sent)
  }

  /** It is looked at some seconds later. */
  async #loseLink(): Promise<void> {
    const { address } = this.#mailing
    await this.ask('POST', '/lost-link', {
      'Sec-Fetch-Site': 'same-origin',
      'Content-Type': 'application/x-www-form-urlencoded',
      body: new URLSearchParams({ email: address }).toString(),
    })
  }

  /** The mail alone holds the page of the new link. */
  async #getMail(): Promise<void> {
    const { server } = this.#mailing
    await server.received(1)
    const { parts } = readMail(server.mails[0]?.raw ?? '')
    for (const { text } of parts) {
      for (const [token] of text.matchAll(/cfb_[\w-]{43}/g)) this.tokens.add(token)
    }
  }

  async #giveTokens(): Promise<void> {
    const made = await this.#administer('POST', '/api/tokens', { name: 'helper', role: 'reader' })
    const token = made.token ?? ''
    this.others.add(token)
    await this.ask('GET', '/api/audit', { Authorization: `Bearer ${token}` })
    await this.ask('DELETE', '/api/tokens/none', { Authorization: `Bearer ${token}` })
    await this.#administer('POST', '/api/tokens', { name: token, role: token })
    await this.#administer('GET', '/api/tokens')
  }

  async #goWrong(token: string): Promise<void> {
    await this.ask('GET', `/feeds/${token}x/a.ics`)
    await this.ask('GET', `/feeds/${token}%zz/a.ics`)
    await this.ask('GET', `/feeds/${token}/a/b`)
    await this.ask('GET', `/${token}`)
    await this.ask('POST', `/feeds/${token}/a.ics`)
    await this.ask('POST', `/feeds/${token}`, { 'Sec-Fetch-Site': 'cross-site' })
    await this.ask('GET', `/feeds/${token}/${'a'.repeat(3000)}.ics`)
    await this.ask('GET', '/api/feeds', { Authorization: `Bearer ${adminToken}x` })
    await this.ask('GET', '/api/feeds', { Authorization: `Bearer ${token}` })
  }

  async #pollAll(): Promise<void> {
    for (const token of this.tokens) {
      for (const address of ['/a.ics', '/a.json', '']) {
        await this.ask('GET', `/feeds/${token}${address}`)
      }
    }
  }
}

async function processTitle({ child }: Program): Promise<string> {
  const files = ['cmdline', 'comm', 'status'].map((name) => `/proc/${child.pid}/${name}`)
  return (await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')))).join('\n')
}

describe.each(anyDatabase())('a run on $name, ended by kill -9', ({ createMigrated }) => {
  it.override('databaseUrl', createMigrated)

  it('leaves no secret in database, log, metrics, error bodies or process title', async ({
    databaseUrl,
    program,
    visitor,
  }) => {
    await visitor.useEverything()
    const { tokens, others, errors } = visitor
    const metrics = await visitor.ask('GET', '/metrics')
    const title = await processTitle(program)
    await end(program)
    expect(tokens.size).toBe(8)
    expect(others.size).toBe(6)
    expect(errors.length).toBeGreaterThan(20)
    const kept = await everythingIn(databaseUrl)
    expect(kept).toContain('usr_ada')
    const places = { kept, log: program.written(), errors: errors.join('\n'), metrics, title }
    const databasePassword = URL.parse(databaseUrl)?.password ?? ''
    const secrets = [
      ...tokens,
      ...others,
      clientSecret,
      mailPassword,
      adminToken,
      password,
      basic,
      databasePassword,
    ].filter((secret) => secret !== '')
    expect(secrets.length).toBeGreaterThanOrEqual(7)
    const found = Object.entries(places).flatMap(([place, text]) =>
      secrets
        .filter((secret) => text.includes(secret.replace(/^cf[bst]_/, '')))
        .map((secret) => [place, secret]),
    )
    expect(found).toEqual([])
  })
})
