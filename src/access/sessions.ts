import { createHash } from 'node:crypto'

import type { Session, SessionStore, SignedIn } from '../domain/access/session.ts'
import type { PeopleByMail } from '../domain/person.ts'
import type { Clock } from '../domain/world.ts'
import { hashSecret, makeSecret } from './secrets.ts'

interface SessionsDeps {
  readonly sessions: SessionStore
  readonly people: Pick<PeopleByMail, 'findById'>
  /** Those that are set; people of others are nobody. */
  readonly companies: ReadonlySet<string>
  /** By which provider and rules people sign in: who has signed in by others is signed in no more. */
  readonly signInBy: string
  readonly clock: Clock
  /** How long a sign-in lasts. */
  readonly sessionMs: number
}

/** Who is signed in, on all nodes alike. */
export class Sessions {
  readonly #deps: SessionsDeps

  constructor(deps: SessionsDeps) {
    this.#deps = deps
  }

  /** Signs in; gives the secret that the browser brings along from now on, made again whatever it brought before. */
  async begin(who: SignedIn): Promise<string> {
    const { secret, hash } = makeSecret('cfs')
    await this.#keep(who, this.#bound(hash), this.#deps.sessionMs)
    return secret
  }

  /** Keeps for so long who may sign in by that key, which is no cookie's secret. */
  offer(who: SignedIn, key: string, ms: number): Promise<void> {
    return this.#keep(who, this.#offered(key), ms)
  }

  /** Who may sign in by that key; undefined where nobody may any more. */
  findOffer(key: string): Promise<SignedIn | undefined> {
    return this.#find(this.#offered(key))
  }

  /** Nobody signs in by that key any more. */
  async endOffer(key: string): Promise<void> {
    await this.#deps.sessions.deleteSession(this.#offered(key))
  }

  /**
   * The sign-in of that secret; undefined where there is none, or it has ended. Of a person who has left since, or is no longer
   * known, only what they are as staff is left.
   */
  async find(secret: string): Promise<Session | undefined> {
    const cookieHash = this.#hashOf(secret)
    return cookieHash && this.#find(cookieHash)
  }

  async #find(cookieHash: Uint8Array): Promise<Session | undefined> {
    const session = await this.#deps.sessions.findSession(cookieHash)
    if (!session || session.endsAt <= this.#deps.clock.now()) return undefined
    const person = (await this.#isHere(session)) ? session.person : null
    return person || session.staff ? { ...session, person } : undefined
  }

  /** Signs out, on every node, anyone who has signed in by that secret. */
  async end(secret: string): Promise<void> {
    const cookieHash = this.#hashOf(secret)
    if (cookieHash) await this.#deps.sessions.deleteSession(cookieHash)
  }

  async #keep(who: SignedIn, cookieHash: Uint8Array, ms: number): Promise<void> {
    const createdAt = this.#deps.clock.now()
    const session = { ...who, cookieHash, createdAt, endsAt: createdAt + ms }
    await this.#deps.sessions.createSession(session)
  }

  #offered(key: string): Uint8Array {
    return this.#bound(createHash('sha256').update(`offer ${key}`).digest())
  }

  #hashOf(secret: string): Uint8Array | undefined {
    const hash = hashSecret('cfs', secret)
    return hash && this.#bound(hash)
  }

  /** Under other settings the same secret has another hash, and opens nothing. */
  #bound(hash: Uint8Array): Uint8Array {
    return createHash('sha256').update(hash).update(this.#deps.signInBy).digest()
  }

  async #isHere({ person }: SignedIn): Promise<boolean> {
    if (!person || !this.#deps.companies.has(person.companyId)) return false
    const found = await this.#deps.people.findById(person.userId)
    const known = found.find(({ companyId }) => companyId === person.companyId)
    return known !== undefined && known.state === 'active' && !known.hasLeft
  }
}
