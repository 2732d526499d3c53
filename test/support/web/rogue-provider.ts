/* An OpenID provider that does as it is told, and lies where it is told to. */
import { createHmac } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'

import { exportJWK, exportSPKI, generateKeyPair, type JWTHeaderParameters, SignJWT } from 'jose'

import { clientId, clientSecret, type Loopback, startLoopback } from './identity-provider.ts'

type Path = '/.well-known/openid-configuration' | '/authorize' | '/token' | '/keys' | '/userinfo'
type Asked = Readonly<Record<string, string>>

/** What it does otherwise than a good one. */
export interface Lies {
  /** Members of the ID token's payload; undefined leaves one out. */
  readonly idToken?: Readonly<Record<string, unknown>>
  readonly header?: Partial<JWTHeaderParameters>
  readonly alg?: 'RS256' | 'HS256' | 'none'
  /** With what a token of HS256 is signed; the client's secret where it is left out. */
  readonly hmacOf?: 'public key'
  /** Members of what the token endpoint answers; undefined leaves one out. */
  readonly tokens?: Readonly<Record<string, unknown>>
  /** Parameters of the answer that the browser brings back; null leaves one out. */
  readonly answer?: Readonly<Record<string, string | null>>
  readonly userinfo?: Readonly<Record<string, unknown>>
  readonly metadata?: Readonly<Record<string, unknown>>
  /** Answers in place of its own. */
  readonly answers?: Readonly<Partial<Record<Path, (response: ServerResponse) => void>>>
  /** Where alone it takes the client's secret; anywhere where it is left out. */
  readonly takesSecretIn?: 'header' | 'body' | 'nowhere'
  /** Whether it has signed with a key that it does not publish. */
  readonly withForeignKey?: boolean
}

export interface RogueProvider {
  readonly issuer: string
  readonly environment: Readonly<Record<string, string>>
  /** By path, how often it was asked. */
  readonly asked: ReadonlyMap<string, number>
  /** Everything secret that has gone over the wire. */
  readonly secrets: ReadonlySet<string>
  /** What it was last asked to authorize. */
  readonly authorized: () => Asked
  lie(lies: Lies): void
  /** Signs with another key from now on, and publishes that one alone. */
  rotateKeys(): Promise<void>
  close(): Promise<void>
}

/** Starts it; it knows one person, ada. */
export async function startRogueProvider(
  environment: Readonly<Record<string, string>> = {},
): Promise<RogueProvider> {
  const server = await startLoopback()
  const rogue = new Rogue(server)
  await rogue.rotateKeys()
  server.serve((request, response) => void rogue.answer(request, response))
  return {
    issuer: server.url,
    environment: {
      OIDC_ISSUER: server.url,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret,
      ...environment,
    },
    asked: rogue.asked,
    secrets: rogue.secrets,
    authorized: () => rogue.authorized,
    lie: (lies) => {
      rogue.lies = lies
    },
    rotateKeys: () => rogue.rotateKeys(),
    close: () => server.close(),
  }
}

class Rogue {
  readonly #issuer: string
  readonly asked = new Map<string, number>()
  readonly secrets = new Set<string>()
  lies: Lies = {}
  authorized: Asked = {}
  #keys = 0
  #key: Awaited<ReturnType<typeof generateKeyPair>>['privateKey'] | undefined
  #published: object = {}
  #publishedText = ''
  readonly #codes = new Map<string, Asked>()

  constructor({ url }: Pick<Loopback, 'url'>) {
    this.#issuer = url
  }

  async rotateKeys(): Promise<void> {
    this.#keys += 1
    const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
    this.#key = privateKey
    const kid = `key-${this.#keys}`
    this.#published = { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' }
    this.#publishedText = await exportSPKI(publicKey)
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', this.#issuer)
    this.asked.set(pathname, (this.asked.get(pathname) ?? 0) + 1)
    const instead = this.lies.answers?.[pathname as Path]
    if (instead) return instead(response)
    if (pathname === '/authorize') return this.#authorize(searchParams, response)
    const body = new URLSearchParams(await text(request))
    if (pathname === '/token' && !this.#takes(request, body)) return refuseClient(response)
    const answers: Record<string, () => object | Promise<object | undefined>> = {
      '/.well-known/openid-configuration': () => this.#metadata(),
      '/keys': () => ({ keys: [this.#published] }),
      '/userinfo': () => ({ sub: 'ada', ...this.lies.userinfo }),
      '/token': () => this.#exchange(body),
    }
    const answer = await answers[pathname]?.()
    response.writeHead(answer ? 200 : 400, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(answer ?? { error: 'invalid_grant' }))
  }

  #takes({ headers }: IncomingMessage, body: URLSearchParams): boolean {
    const { takesSecretIn } = this.lies
    if (takesSecretIn === undefined) return true
    const [, basic = ''] = (headers.authorization ?? '').split('Basic ')
    // Each part is written as in a form (RFC 6749 section 2.3.1).
    const shown = decodeURIComponent(Buffer.from(basic, 'base64').toString())
    if (takesSecretIn === 'header') return shown === `${clientId}:${clientSecret}`
    return takesSecretIn === 'body' && body.get('client_secret') === clientSecret
  }

  #metadata(): object {
    const issuer = this.#issuer
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      userinfo_endpoint: `${issuer}/userinfo`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
      token_endpoint_auth_methods_supported: ['client_secret_post'],
      authorization_response_iss_parameter_supported: true,
      ...this.lies.metadata,
    }
  }

  #authorize(asked: URLSearchParams, response: ServerResponse): void {
    this.authorized = Object.fromEntries(asked)
    const { redirect_uri: back = '', state = '', nonce = '' } = this.authorized
    const code = `code-${this.#codes.size}-${'x'.repeat(20)}`
    this.#codes.set(code, this.authorized)
    for (const secret of [code, state, nonce]) this.secrets.add(secret)
    const url = new URL(back)
    const honest: Record<string, string | null> = { code, state, iss: this.#issuer }
    const answer = { ...honest, ...this.lies.answer }
    for (const [name, value] of Object.entries(answer)) {
      if (value !== null) url.searchParams.set(name, value)
    }
    response.writeHead(303, { Location: url.href }).end()
  }

  async #exchange(body: URLSearchParams): Promise<object | undefined> {
    const code = body.get('code') ?? ''
    const asked = this.#codes.get(code)
    this.#codes.delete(code)
    this.secrets.add(body.get('code_verifier') ?? '')
    if (!asked) return undefined
    const idToken = await this.#idToken(asked['nonce'] ?? '')
    this.secrets.add(idToken)
    const tokens = { access_token: 'an-access-token', token_type: 'bearer', id_token: idToken }
    return { ...tokens, ...this.lies.tokens }
  }

  async #idToken(nonce: string): Promise<string> {
    const now = Math.floor(Date.now() / 1000)
    const payload = {
      iss: this.#issuer,
      sub: 'ada',
      aud: clientId,
      iat: now,
      exp: now + 300,
      nonce,
      email: 'ada@sign-in.example',
      email_verified: true,
      ...this.lies.idToken,
    }
    const { alg = 'RS256' } = this.lies
    const header = { alg, kid: `key-${this.#keys}`, ...this.lies.header }
    const secret = this.lies.hmacOf ? this.#publishedText : clientSecret
    if (alg !== 'RS256') return unsigned(header, payload, secret)
    const foreign = this.lies.withForeignKey ? await generateKeyPair('RS256') : undefined
    const key = foreign?.privateKey ?? this.#key
    if (!key) throw new Error('It has no key yet.')
    return new SignJWT(payload).setProtectedHeader(header).sign(key)
  }
}

function refuseClient(response: ServerResponse): void {
  response.writeHead(401, { 'Content-Type': 'application/json', 'WWW-Authenticate': 'Basic' })
  response.end(JSON.stringify({ error: 'invalid_client' }))
}

/** Signed with nothing, or with what is no key for that. */
function unsigned(header: JWTHeaderParameters, payload: object, secret: string): string {
  const parts = [header, payload].map((it) => Buffer.from(JSON.stringify(it)).toString('base64url'))
  const said = parts.join('.')
  const mark = createHmac('sha256', secret).update(said).digest('base64url')
  return `${said}.${header.alg === 'none' ? '' : mark}`
}
