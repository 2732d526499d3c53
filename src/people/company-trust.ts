/*
 * A credential opens one company. With another one, or at another address, another company's people may be answered, of the same
 * ids: so nothing is read until somebody who was known is recognised.
 */
import { type AuditStore, saveAuditEvent } from '../domain/access/audit-entry.ts'
import { bridge } from '../domain/access/staff.ts'
import type { Connection, CredentialStore } from '../domain/connection.ts'
import { AppError } from '../domain/errors.ts'
import {
  compareIdentity,
  identityOf,
  type ComparablePerson,
  type NewcomerStore,
  readAgainAfterMs,
} from '../domain/person.ts'
import type { ReadApi } from '../domain/read-api.ts'
import type { Clock, Instant, Log } from '../domain/world.ts'
import { readPerson } from './person-state.ts'

/** So many who are recognised, or are somebody else, decide. */
const decisive = 2
/** So many are asked for at most. */
const comparedMax = 10

export interface CompanyTrustDeps {
  readonly credentials: CredentialStore
  readonly newcomers: Pick<NewcomerStore, 'listComparable'>
  readonly audit: AuditStore
  readonly clock: Clock
  readonly log: Log
}

/** Whether a company may be read with its credential, and where not, who are somebody else with it, and whom it does not know. */
export type Trust =
  | { readonly is: 'trusted' }
  | {
      readonly is: 'doubted'
      readonly others: readonly string[]
      readonly nobody: readonly string[]
    }
  | { readonly is: 'unknown' }

const trusted: Trust = { is: 'trusted' }

/** Finds out of one connection whether its credential still opens the same company. */
export class CompanyTrust {
  readonly #connection: Connection
  readonly #deps: CompanyTrustDeps
  #isTrusted = false
  #found: { readonly at: Instant; readonly trust: Promise<Trust> } | undefined

  /** `connection` is asked as it is. */
  constructor(connection: Connection, deps: CompanyTrustDeps) {
    this.#connection = connection
    this.#deps = deps
  }

  /** As far as it is known; found out once a minute for all who ask while it is not. */
  find(): Promise<Trust> {
    if (this.#isTrusted) return Promise.resolve(trusted)
    const now = this.#deps.clock.now()
    if (!this.#found || Math.abs(now - this.#found.at) >= readAgainAfterMs) {
      const found = { at: now, trust: this.#findOut() }
      this.#found = found
      // What the database could not say is asked again by the next one.
      found.trust.catch(() => {
        if (this.#found === found) this.#found = undefined
      })
    }
    return this.#found.trust
  }

  /** The same connection; everything it is asked for fails while it is not trusted. */
  guard(): Connection {
    const { api } = this.#connection
    const guarded: ReadApi = {
      list: async (kind, filter, asking) => {
        await this.#refuseUntrusted()
        return api.list(kind, filter, asking)
      },
      listUnlessKnown: async (kind, filter, asking) => {
        await this.#refuseUntrusted()
        return api.listUnlessKnown(kind, filter, asking)
      },
      get: async (kind, id, asking) => {
        await this.#refuseUntrusted()
        return api.get(kind, id, asking)
      },
      lastAnswerBut: (kind) => api.lastAnswerBut(kind),
    }
    return { ...this.#connection, api: guarded }
  }

  /** From now on the credential is trusted, anyone who answers. */
  async trust(): Promise<void> {
    const { credentials } = this.#deps
    const { id, credential } = this.#connection
    if (await credentials.trust(id, credential)) await this.#note('company_released')
    this.#isTrusted = true
  }

  async #refuseUntrusted(): Promise<void> {
    if (this.#isTrusted) return
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
   * Two who are recognised settle it, or all who are known; two who are somebody else do as well. A connection that is new may
   * be that of a Read API with other ids, as after a trial with the sample company: only who is somebody else speaks against it.
   */
  async #compare(people: readonly ComparablePerson[], isNew: boolean): Promise<Trust> {
    const found = { same: 0, nobody: [] as string[], others: [] as string[] }
    for (const person of people) {
      const is = await this.#whoIs(person)
      // Who answers nothing now answers nothing about the next one, either.
      if (is === 'unanswered') return { is: 'unknown' }
      if (is === 'same') found.same += 1
      if (is === 'nobody') found.nobody.push(person.userId)
      if (is === 'another') found.others.push(person.userId)
      if (Math.max(found.same, found.others.length) >= decisive) break
    }
    return trustAfter(found, isNew)
  }

  async #whoIs({
    userId,
    known,
  }: ComparablePerson): Promise<'same' | 'another' | 'unsaid' | 'nobody' | 'unanswered'> {
    const answer = await readPerson(this.#connection, userId, { bypassCache: true })
    if (answer.state === undefined) {
      const { code, status } = answer.fault
      if (code === 'upstream_unavailable') return 'unanswered'
      // A credential that may read no users recognises nobody either, and can be confirmed like one that knows nobody.
      return status === 403 ? 'nobody' : 'unsaid'
    }
    if (answer.state === 'misnamed' || !answer.user) return 'nobody'
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

interface Compared {
  readonly same: number
  readonly nobody: readonly string[]
  readonly others: readonly string[]
}

function trustAfter({ same, nobody, others }: Compared, isNew: boolean): Trust {
  if ((same > 0 || isNew) && others.length < decisive) return trusted
  const isDoubted = nobody.length + others.length > 0
  return isDoubted ? { is: 'doubted', others, nobody } : { is: 'unknown' }
}
