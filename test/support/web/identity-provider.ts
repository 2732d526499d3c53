/* A real OpenID provider on loopback, and a person's browser, as far as signing in needs one. */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'

import { exportJWK, generateKeyPair } from 'jose'
import { type Configuration, type JWK, Provider } from 'oidc-provider'

export const clientId = 'bridge'
export const clientSecret = 'a-client-secret-for-tests-of-sign-in'

/** Who has an account there: the claims that are told of them, by the name with which they sign in. */
export type Accounts = Readonly<Record<string, Readonly<Record<string, unknown>>>>

export interface IdentityProvider {
  readonly issuer: string
  /** The settings of a bridge whose people sign in there. */
  readonly environment: Readonly<Record<string, string>>
  /** How often it was asked anything. */
  readonly requests: () => number
  /** Knows the bridge from then on; until then it answers 503. */
  register(publicUrl: string): void
  close(): Promise<void>
}

export interface ProviderChoices {
  readonly environment?: Readonly<Record<string, string>>
  readonly configuration?: Configuration
  readonly client?: Readonly<Record<string, unknown>>
}

/** Starts it with these accounts. */
export async function startIdentityProvider(
  accounts: Accounts,
  { environment = {}, configuration = {}, client = {} }: ProviderChoices = {},
): Promise<IdentityProvider> {
  const server = await startLoopback()
  const key = await signingKey()
  const register = (publicUrl: string): void => {
    const provider = new Provider(server.url, {
      ...configurationOf(accounts, key),
      ...configuration,
      clients: [
        {
          client_id: clientId,
          client_secret: clientSecret,
          redirect_uris: [`${publicUrl}/sign-in/callback`],
          ...client,
        },
      ],
    })
    const answer = provider.callback()
    server.serve((request, response) => void answer(request, response))
  }
  const settings = {
    OIDC_ISSUER: server.url,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
    ...environment,
  }
  return {
    issuer: server.url,
    environment: settings,
    requests: () => server.requests(),
    register,
    close: () => server.close(),
  }
}

export interface Loopback {
  readonly url: string
  readonly requests: () => number
  serve(listener: RequestListener): void
  close(): Promise<void>
}

/** A server on a free port; it answers 503 until it is told how. */
export async function startLoopback(): Promise<Loopback> {
  let requests = 0
  let listener: RequestListener = (_request, response) => {
    response.writeHead(503).end()
  }
  const server = createServer((request, response) => {
    requests += 1
    listener(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    url: `http://127.0.0.1:${port}`,
    requests: () => requests,
    serve: (next) => {
      listener = next
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}

function configurationOf(accounts: Accounts, key: JWK): Configuration {
  return {
    jwks: { keys: [key] },
    cookies: { keys: ['a-key-for-cookies-of-tests'] },
    features: { devInteractions: { enabled: true }, claimsParameter: { enabled: true } },
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name'],
      groups: ['groups'],
      employee_id: ['employee_id'],
    },
    // Said, since the provider's own are told of on standard output.
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    findAccount: (_context, sub) =>
      accounts[sub] && { accountId: sub, claims: () => ({ sub, ...accounts[sub] }) },
  }
}

async function signingKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return { ...(await exportJWK(privateKey)), kid: 'key-1', alg: 'RS256', use: 'sig' }
}

/** What a browser keeps, and how it follows where it is led: cookies by host and port. */
export class TestBrowser {
  readonly #jars = new Map<string, Map<string, string>>()
  /** Every address that it has been to, the last at the end. */
  readonly visited: string[] = []

  /** One request, no redirect followed. */
  async ask(address: string | URL, init: RequestInit = {}): Promise<Response> {
    const url = new URL(address)
    this.visited.push(url.href)
    const jar = this.jar(url)
    const headers = new Headers(init.headers)
    if (jar.size > 0 && !headers.has('Cookie')) headers.set('Cookie', this.cookies(url))
    if (!headers.has('Accept')) headers.set('Accept', 'text/html')
    const response = await fetch(url, { redirect: 'manual', ...init, headers })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      const isGone = value === '' || /max-age=0|expires=Thu, 01 Jan 1970/i.test(line)
      if (isGone) jar.delete(name)
      else jar.set(name, value)
    }
    return response
  }

  /** The cookies for that host, by name. */
  jar(url: string | URL): Map<string, string> {
    const { host } = new URL(url)
    const jar = this.#jars.get(host) ?? new Map<string, string>()
    this.#jars.set(host, jar)
    return jar
  }

  cookies(url: string | URL): string {
    return [...this.jar(url)].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  /** Goes where it is led until somebody answers otherwise, or until it is led to an address that `stopsAt` is true of. */
  async follow(
    address: string | URL,
    { stopsAt = () => false, init = {} }: FollowOptions = {},
  ): Promise<Followed> {
    let url = new URL(address)
    let response = await this.ask(url, init)
    for (let steps = 0; steps < 20; steps += 1) {
      const location = response.headers.get('location')
      if (response.status < 300 || response.status > 399 || location === null) break
      url = new URL(location, url)
      if (stopsAt(url)) break
      response = await this.ask(url)
    }
    return { url, response }
  }
}

interface FollowOptions {
  readonly stopsAt?: (url: URL) => boolean
  readonly init?: RequestInit
}

export interface Followed {
  readonly url: URL
  readonly response: Response
}

/**
 * Signs in as that account from the bridge's `/sign-in` on. Ends with what the bridge answers at last, or before the callback,
 * whose address is then given.
 */
export async function signInThrough(
  browser: TestBrowser,
  bridgeUrl: string,
  account: string,
  stop: 'before the callback' | 'at the end' = 'at the end',
): Promise<Followed> {
  const isCallback = (url: URL): boolean => url.pathname.endsWith('/sign-in/callback')
  const stopsAt = stop === 'at the end' ? () => false : isCallback
  let at = await browser.follow(`${bridgeUrl}/sign-in`, { stopsAt })
  for (let forms = 0; forms < 3; forms += 1) {
    const page = at.url.pathname.includes('/interaction/') ? await at.response.text() : ''
    const action = /action="([^"]+)"/.exec(page)?.[1]
    const prompt = /name="prompt" value="([^"]+)"/.exec(page)?.[1]
    if (action === undefined || prompt === undefined) break
    const body = new URLSearchParams({ prompt, login: account, password: 'any' })
    at = await browser.follow(new URL(action, at.url), { stopsAt, init: { method: 'POST', body } })
  }
  return at
}
