/*
 * A credential opens one company. Another credential, or another address, may open another company with people of the same ids:
 * so nothing is read until a known person is recognised.
 */
import { saveAuditEvent } from '../domain/access/audit-entry.ts'
import { bridge } from '../domain/access/staff.ts'
import type { Connection, CredentialStore } from '../domain/connection.ts'
import { AppError } from '../domain/errors.ts'
import {
  compareIdentity,
  identityOf,
  type ComparablePerson,
  readAgainAfterMs,
} from '../domain/person.ts'
import type { ReadApi } from '../domain/read-api.ts'
import type { Instant } from '../domain/world.ts'
import type { PeopleDeps } from './people-deps.ts'
import { readPerson } from './person-state.ts'

/** This many people who are the same, or others, decide. */
const decisive = 2
const comparedMax = 10

type CompanyTrustDeps = Pick<PeopleDeps, 'newcomers' | 'audit' | 'clock' | 'log'> & {
  readonly credentials: CredentialStore
}

/** Whether a company may be read with its credential, and if not, which ids are other people's, and which are not found. */
export type Trust =
  | { readonly is: 'trusted' }
  | {
      readonly is: 'doubted'
      readonly others: readonly string[]
      readonly missing: readonly string[]
    }
  | { readonly is: 'unknown' }

const trusted: Trust = { is: 'trusted' }

/** Finds out whether a connection's credential still opens the same company. */
export class CompanyTrust {
  readonly #connection: Connection
  readonly #deps: CompanyTrustDeps
  #isTrusted = false
  #found: { readonly at: Instant; readonly trust: Promise<Trust> } | undefined

  constructor(connection: Connection, deps: CompanyTrustDeps) {
    this.#connection = connection
    this.#deps = deps
  }

  find(): Promise<Trust> {
    if (this.#isTrusted) return Promise.resolve(trusted)
    const now = this.#deps.clock.now()
    if (!this.#found || Math.abs(now - this.#found.at) >= readAgainAfterMs) {
      const found = { at: now, trust: this.#findOut() }
      this.#found = found
      // Do not cache a database fault for a minute.
      found.trust.catch(() => {
        if (this.#found === found) this.#found = undefined
      })
    }
    return this.#found.trust
  }

  /** The same connection; all requests fail while it is not trusted. */
  guard(): Connection {
    const { api } = this.#connection
    const trustedApi = async (): Promise<ReadApi> => {
      await this.#refuseUntrusted()
      return api
    }
    const guarded: ReadApi = {
      list: async (kind, filter, asking) => (await trustedApi()).list(kind, filter, asking),
      listUnlessKnown: async (kind, filter, asking) =>
        (await trustedApi()).listUnlessKnown(kind, filter, asking),
      get: async (kind, id, asking) => (await trustedApi()).get(kind, id, asking),
      lastAnswerBut: (kind) => api.lastAnswerBut(kind),
    }
    return { ...this.#connection, api: guarded }
  }

  async trust(): Promise<void> {
    const { id, credential } = this.#connection
    if (await this.#deps.credentials.trust(id, credential)) await this.#note('company_released')
    this.#isTrusted = true
  }

  async #refuseUntrusted(): Promise<void> {
    const { is } = await this.find()
    if (is === 'trusted') return
    throw new AppError(
      'upstream_unavailable',
      is === 'doubted'
        ? 'The credential or the way to the Read API was changed, and with it the Read API does not answer with the people who are known: it is probably another company’s. Run doctor.'
        : 'The credential or the way to the Read API was changed, and no known person has been recognized with it yet.',
      { retryAfterMs: readAgainAfterMs },
    )
  }

  async #findOut(): Promise<Trust> {
    const { credentials, newcomers, clock } = this.#deps
    const { id, credential, company } = this.#connection
    const before = await credentials.findTrusted(id)
    const isSame = before?.credential === credential
    if (isSame && before.doubtedSince === null) {
      this.#isTrusted = true
      return trusted
    }
    const people = isSame ? [] : await newcomers.listComparable(company.id, comparedMax)
    const found = people.length === 0 ? trusted : await this.#compare(people, before === undefined)
    if (found.is === 'trusted') await this.trust()
    else if (found.is === 'doubted' && (await credentials.doubt(id, clock.now()))) {
      await this.#note('company_held')
    }
    return found
  }

  /**
   * Two people who are the same, or all known ones, settle it; so do two who are others. A new connection may be a Read API
   * with other ids, as after a trial with the sample company: only people who are others count against it.
   */
  async #compare(people: readonly ComparablePerson[], isNew: boolean): Promise<Trust> {
    let same = 0
    const [missing, others]: [string[], string[]] = [[], []]
    for (const person of people) {
      const is = await this.#whoIs(person)
      if (is === 'unanswered') return { is: 'unknown' }
      if (is === 'same') same += 1
      if (is === 'missing') missing.push(person.userId)
      if (is === 'another') others.push(person.userId)
      if (Math.max(same, others.length) >= decisive) break
    }
    if ((same > 0 || isNew) && others.length < decisive) return trusted
    const isDoubted = missing.length + others.length > 0
    return isDoubted ? { is: 'doubted', others, missing } : { is: 'unknown' }
  }

  async #whoIs({
    userId,
    known,
  }: ComparablePerson): Promise<'same' | 'another' | 'unsaid' | 'missing' | 'unanswered'> {
    const answer = await readPerson(this.#connection, userId, { bypassCache: true })
    if (answer.state === undefined) {
      const { code, status } = answer.fault
      if (code === 'upstream_unavailable') return 'unanswered'
      // A credential that may not read users counts like one that knows none.
      return status === 403 ? 'missing' : 'unsaid'
    }
    if (answer.state === 'misnamed' || !answer.user) return 'missing'
    const read = identityOf(answer.user)
    const compared = compareIdentity(known, read)
    // Of a whole company another name is enough.
    return compared === 'unsaid' && read.name !== '' ? 'another' : compared
  }

  #note(action: 'company_held' | 'company_released'): Promise<void> {
    const { actor } = bridge
    return saveAuditEvent(this.#deps, { actor, action }, { companyId: this.#connection.company.id })
  }
}
