import type { Session, SessionStore, SignedIn } from '../domain/access/session.ts'
import type { Role } from '../domain/access/staff.ts'
import type { PeopleByMail } from '../domain/person.ts'
import type { Clock } from '../domain/world.ts'
import { hashSecret, makeSecret } from './secrets.ts'

interface SessionsDeps {
  readonly sessions: SessionStore
  readonly people: Pick<PeopleByMail, 'findById'>
  /** Those that are set; people of others are nobody. */
  readonly companies: ReadonlySet<string>
  /** Those that a sign-in can give as it is set up now; nobody else is staff. */
  readonly staffRoles: ReadonlySet<Role>
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

  /** Signs in; gives the secret that the browser brings along from now on, made anew whatever it brought before. */
  async begin(who: SignedIn): Promise<string> {
    const { sessions, clock, sessionMs } = this.#deps
    const { secret, hash: cookieHash } = makeSecret('cfs')
    const createdAt = clock.now()
    await sessions.createSession({ ...who, cookieHash, createdAt, endsAt: createdAt + sessionMs })
    return secret
  }

  /**
   * The sign-in of that secret; undefined where there is none, or it has ended. Of a person who has left since, or is no longer
   * known, only what they are as staff is left; of staff whom the settings name no longer, only the person.
   */
  async find(secret: string): Promise<Session | undefined> {
    const cookieHash = hashSecret('cfs', secret)
    const session = cookieHash && (await this.#deps.sessions.findSession(cookieHash))
    if (!session || session.endsAt <= this.#deps.clock.now()) return undefined
    const person = (await this.#isHere(session)) ? session.person : null
    const staff = this.#staffOf(session)
    return person || staff ? { ...session, person, staff } : undefined
  }

  /** Signs out, on every node. */
  async end({ cookieHash }: Pick<Session, 'cookieHash'>): Promise<void> {
    await this.#deps.sessions.deleteSession(cookieHash)
  }

  #staffOf({ staff }: SignedIn): SignedIn['staff'] {
    return staff && this.#deps.staffRoles.has(staff.role) ? staff : null
  }

  async #isHere({ person }: SignedIn): Promise<boolean> {
    if (!person || !this.#deps.companies.has(person.companyId)) return false
    const found = await this.#deps.people.findById(person.userId)
    const known = found.find(({ companyId }) => companyId === person.companyId)
    return known !== undefined && known.state === 'active' && !known.hasLeft
  }
}
