import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  clockTolerance,
  type Configuration,
  customFetch,
  type CustomFetch,
  discovery,
  enableNonRepudiationChecks,
  None,
  type ServerMetadata,
} from 'openid-client'

import type { Clock, Instant } from '../../domain/world.ts'
import { discoveryFault } from './provider-faults.ts'
import { listed, requireEndpoints, requireOneIssuer } from './provider-metadata.ts'

const renewedMs = 3_600_000
const anewMs = 60_000
const requestTimeoutMs = 5000
/** By so much the provider's clock may differ from ours. */
const clocksDifferSeconds = 60

/** The identity provider, and how it knows the bridge. */
export interface ProviderDeps {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string | undefined
  readonly fetch: CustomFetch
  readonly clock: Clock
  /** Of one request; 5 seconds where it is left out. */
  readonly timeoutMs?: number
}

/** Where a client shows its secret (RFC 6749 section 2.3.1). */
type SecretIn = 'body' | 'header'

const methods = { body: 'client_secret_post', header: 'client_secret_basic' } as const

interface Discovered {
  readonly at: Instant
  readonly configuration: Promise<Configuration>
}

/** Where the keys of what was discovered stand, and whether they have been asked for since. */
interface Keys {
  address: string | undefined
  wereAsked: boolean
}

/** What the provider publishes of itself: asked for when somebody signs in, and once for all who do within an hour. */
export class Provider {
  readonly #deps: ProviderDeps
  #discovered: Discovered | undefined
  /** When keys that had been asked for were asked for again. */
  #keysAgainAt: Instant = 0
  /** Where a client was found to be registered otherwise than the provider's list has it first. */
  #secretIn: SecretIn | undefined

  constructor(deps: ProviderDeps) {
    this.#deps = deps
  }

  /** Fails with `SignInRefused`; then it is asked again the next time. */
  async configuration(): Promise<Configuration> {
    const now = this.#deps.clock.now()
    const known = this.#discovered
    if (known && now - known.at < renewedMs) return known.configuration
    const configuration = this.#discover()
    const discovered = { at: now, configuration }
    this.#discovered = discovered
    try {
      return await configuration
    } catch (error) {
      if (this.#discovered === discovered) this.#discovered = undefined
      throw error
    }
  }

  /** Has its keys asked for anew the next time; but not if they have been within a minute. */
  forgetKeys(): void {
    const now = this.#deps.clock.now()
    const at = Math.max(this.#discovered?.at ?? 0, this.#keysAgainAt)
    if (now - at >= anewMs) this.#discovered = undefined
  }

  /** Where the client's secret is shown now; undefined where it has none. Fails with `SignInRefused`. */
  async secretIn(): Promise<SecretIn | undefined> {
    if (this.#deps.clientSecret === undefined) return undefined
    return this.#placeOf((await this.configuration()).serverMetadata())
  }

  /**
   * Shows the client's secret in the other way from now on than in the one that was refused, unless others have changed it
   * meanwhile; false where there is none. In which one a client is registered is nowhere published.
   */
  async changeSecretsPlace(refused: SecretIn): Promise<boolean> {
    const metadata = (await this.configuration()).serverMetadata()
    if (this.#placeOf(metadata) !== refused) return true
    const other = refused === 'body' ? 'header' : 'body'
    const known = listed(metadata.token_endpoint_auth_methods_supported)
    if (known.length > 0 && !known.includes(methods[other])) return false
    this.#secretIn = other
    return true
  }

  async #discover(): Promise<Configuration> {
    const { issuer, clientId, clientSecret, timeoutMs = requestTimeoutMs } = this.#deps
    const keys: Keys = { address: undefined, wereAsked: false }
    const isPlain = issuer.toLowerCase().startsWith('http:')
    const execute = [...(isPlain ? [allowInsecureRequests] : []), enableNonRepudiationChecks]
    try {
      const options = { timeout: timeoutMs / 1000, execute, [customFetch]: this.#noting(keys) }
      const server = new URL(issuer)
      const authentication = this.#authentication()
      const client = {
        ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
        [clockTolerance]: clocksDifferSeconds,
      }
      const found = await discovery(server, clientId, client, authentication, options)
      requireOneIssuer(found.serverMetadata())
      requireEndpoints(found.serverMetadata())
      keys.address = found.serverMetadata().jwks_uri
      return found
    } catch (error) {
      throw discoveryFault(error)
    }
  }

  /** The library asks for keys again by itself, too, where it meets one that is unknown. */
  #noting(keys: Keys): CustomFetch {
    const { fetch, clock } = this.#deps
    return (address, options) => {
      if (keys.address !== undefined && address === new URL(keys.address).href) {
        if (keys.wereAsked) this.#keysAgainAt = clock.now()
        keys.wereAsked = true
      }
      return fetch(address, options)
    }
  }

  #authentication(): ClientAuth {
    const { clientSecret } = this.#deps
    if (clientSecret === undefined) return None()
    const ways = { body: ClientSecretPost(clientSecret), header: ClientSecretBasic(clientSecret) }
    return (metadata, ...request) => ways[this.#placeOf(metadata)](metadata, ...request)
  }

  #placeOf({ token_endpoint_auth_methods_supported: supported }: ServerMetadata): SecretIn {
    return this.#secretIn ?? (listed(supported).includes(methods.body) ? 'body' : 'header')
  }
}
