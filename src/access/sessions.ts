import { createHash, hash } from 'node:crypto'

import type { Session, SessionStore, SignedIn } from '../domain/access/staff.ts'
import { isActive, type PeopleByMail } from '../domain/person.ts'
import { hashSecret, makeSecret } from '../domain/secrets.ts'
import type { Clock } from '../domain/world.ts'

interface SessionsDeps {
  readonly sessions: SessionStore
  readonly people: PeopleByMail
  /** Those that are set up. */
  readonly companies: ReadonlySet<string>
  /** The provider and the rules of sign-in: when they change, every session ends. */
  readonly signInBy: string
  readonly clock: Clock
  readonly sessionMs: number
}

export class Sessions {
  readonly #deps: SessionsDeps

  constructor(deps: SessionsDeps) {
    this.#deps = deps
  }

  get sessionMs(): number {
    return this.#deps.sessionMs
  }

  /** Signs in, always with a new secret for the browser's cookie. */
  async begin(who: SignedIn): Promise<string> {
    const secret = makeSecret('cfs')
    await this.offer(who, secret, this.#deps.sessionMs)
    return secret
  }

  /** Keeps who may sign in with that key, which opens no session by itself. */
  async offer(who: SignedIn, key: string, ms: number): Promise<void> {
    const createdAt = this.#deps.clock.now()
    const cookieHash = this.#hashOf(key)
    const session = { ...who, cookieHash, createdAt, endsAt: createdAt + ms }
    await this.#deps.sessions.createSession(session)
  }

  async findOffer(key: string): Promise<Session | undefined> {
    const { sessions, clock } = this.#deps
    const session = await sessions.findSession(this.#hashOf(key))
    if (!session || session.endsAt <= clock.now()) return undefined
    const person = (await this.#isHere(session)) ? session.person : null
    const isStaff = session.staff !== null || session.staffToken != null
    return person || isStaff ? { ...session, person } : undefined
  }

  /** Undefined if there is none, or it has ended. Someone who has left may still be staff. */
  async find(secret: string): Promise<Session | undefined> {
    return hashSecret('cfs', secret) && this.findOffer(secret)
  }

  /** Ends a session, or an offer, on every node. */
  async end(secret: string): Promise<void> {
    await this.#deps.sessions.deleteSession(this.#hashOf(secret))
  }

  /** With other settings the same secret has another hash, and opens nothing. */
  #hashOf(secret: string): Uint8Array {
    const { signInBy } = this.#deps
    return createHash('sha256')
      .update(hash('sha256', secret, 'buffer'))
      .update(signInBy)
      .digest()
  }

  async #isHere({ person }: SignedIn): Promise<boolean> {
    if (!person || !this.#deps.companies.has(person.companyId)) return false
    const found = await this.#deps.people.findById(person.userId)
    const known = found.find(({ companyId }) => companyId === person.companyId)
    return known !== undefined && isActive(known)
  }
}
