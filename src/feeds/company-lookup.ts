import PQueue from 'p-queue'

import { noCompany } from '../domain/company.ts'
import type { Connection } from '../domain/connection.ts'
import { fittingRecords } from '../domain/copy.ts'
import { AppError, asFailure, asAppError, type InputFault } from '../domain/errors.ts'
import type { KeptDefaults } from '../domain/feed.ts'
import type { Answer } from '../domain/read-api.ts'
import { defaultSchedules, type Schedule } from '../domain/schedule.ts'
import type { User } from '../domain/user.ts'
import type { Instant } from '../domain/world.ts'
import type { FeedsDeps } from './deps.ts'
import { invalidFeed } from './link-replacement.ts'

/** The connection of the company, which can be omitted if there is only one; `invalid` otherwise. */
export function connectionOf(
  connections: ReadonlyMap<string, Connection>,
  companyId: string | undefined,
): Connection {
  const only = connections.size === 1 ? [...connections.values()][0] : undefined
  const connection = companyId === undefined ? only : connections.get(companyId)
  if (connection) return connection
  const detail =
    companyId === undefined
      ? `Must be one of ${[...connections.keys()].join(', ')}, since there are several companies.`
      : noCompany(companyId, connections.keys())
  throw invalidFeed('/companyId', detail)
}

/** People looked up at once per company: each takes some kilobytes. */
const askedAtOnceMax = 1000
const queues = new WeakMap<Connection, PQueue>()

/** The users that the Read API returned, and warnings about those that could not be checked. */
export interface KnownUsers {
  readonly users: readonly User[]
  readonly warnings: readonly string[]
}

type Schedules = Pick<Answer<Schedule>, 'records' | 'ids' | 'inDoubt'>

/** Looks up what new feeds need of one company, everything once. */
export class CompanyLookup {
  readonly connection: Connection
  readonly askedAt: Instant
  readonly #users = new Map<string, Promise<User | AppError>>()
  readonly #deps: FeedsDeps
  #defaults: Promise<KeptDefaults> | undefined
  #schedules: Promise<Schedules | AppError> | undefined
  #inactive: Promise<readonly string[] | AppError> | undefined

  constructor(connection: Connection, deps: FeedsDeps) {
    this.connection = connection
    this.askedAt = deps.clock.now()
    this.#deps = deps
  }

  /** `invalid` with the ids that the Read API does not know. */
  async findUsers(ids: readonly string[], pointerOf = pointerOfUser): Promise<KnownUsers> {
    const queue = queues.get(this.connection) ?? new PQueue({ concurrency: askedAtOnceMax })
    queues.set(this.connection, queue)
    const answers = await queue.addAll(ids.map((id) => () => this.#findUser(id)))
    refuseUnknown(ids, answers, pointerOf)
    const failure = answers.find((answer) => answer instanceof AppError)
    return {
      users: answers.filter((answer): answer is User => !(answer instanceof AppError)),
      warnings: failure ? [unchecked(failure)] : [],
    }
  }

  /** As `findUsers`; also `invalid` with the ids that may belong to another person by now, unless the feed has them already. */
  async findUsersToShow(
    ids: readonly string[],
    before: readonly string[] = [],
    pointerOf = pointerOfUser,
  ): Promise<KnownUsers> {
    const known = await this.findUsers(ids, pointerOf)
    const { identities } = this.#deps
    const { id: companyId } = this.connection.company
    for (const user of known.users) await identities.noteRecord(companyId, user)
    const held = await identities.listHeld(companyId)
    const faults = ids.flatMap((id, index) =>
      held.has(id) && !before.includes(id)
        ? [{ pointer: pointerOf(index), detail: heldText(id) }]
        : [],
    )
    if (faults.length > 0) throw new AppError('invalid', 'The feed is not valid.', { faults })
    return known
  }

  findDefaults(): Promise<KeptDefaults> {
    const { id } = this.connection.company
    this.#defaults ??= this.#deps.companyDefaults.findDefaults(id)
    return this.#defaults
  }

  /** The error, if the Read API fails. */
  findSchedules(): Promise<Schedules | AppError> {
    this.#schedules ??= listSchedules(this.connection).catch(asFailure)
    return this.#schedules
  }

  /** The ids that are listed only on request for inactive schedules; the error, if the Read API fails. */
  findInactiveSchedules(): Promise<readonly string[] | AppError> {
    this.#inactive ??= listInactive(this.connection).catch(asFailure)
    return this.#inactive
  }

  /** The schedules of a feed that names none; the error, if they have to be read and the Read API fails. */
  async defaultSchedules(): Promise<readonly string[] | AppError> {
    const { company } = this.connection
    if (company.schedules.length > 0) return company.schedules
    const answer = await this.findSchedules()
    return answer instanceof AppError ? answer : defaultSchedules(company, answer.records)
  }

  #findUser(id: string): Promise<User | AppError> {
    const answer =
      this.#users.get(id) ??
      this.connection.api.get('user', id, { bypassCache: true }).catch(asFailure)
    this.#users.set(id, answer)
    return answer
  }
}

function pointerOfUser(index: number): string {
  return `/userIds/${index}`
}

function refuseUnknown(
  ids: readonly string[],
  answers: readonly (User | AppError)[],
  pointerOf: (index: number) => string,
): void {
  const faults = ids.flatMap((id, index): InputFault[] => {
    const answer = answers[index]
    if (!(answer instanceof AppError)) return []
    const pointer = pointerOf(index)
    if (answer.code === 'upstream_misnamed') return [{ pointer, detail: answer.message }]
    if (answer.code !== 'upstream_not_found') return []
    return [{ pointer, detail: `There is no user "${id}".` }]
  })
  if (faults.length > 0) throw new AppError('invalid', 'The feed is not valid.', { faults })
}

function heldText(userId: string): string {
  return `The Read API answers for "${userId}" with another name and another mail address than before: once that has been read twice, a minute apart, \`bridge person confirm --user ${userId}\` with --same or --other says whether it is the same person.`
}

function unchecked({ message }: AppError): string {
  return `The users could not be checked, the feed was made or changed all the same: ${message}`
}

async function listSchedules({ api }: Connection): Promise<Schedules> {
  return fittingRecords(await api.list('schedules', {}))
}

/** Empty if the Read API does not support the filter. */
async function listInactive({ api }: Connection): Promise<readonly string[]> {
  try {
    return (await api.list('schedules', { active: false })).ids
  } catch (error) {
    const code = asAppError(error)?.code
    if (code === 'upstream_rejected' || code === 'upstream_not_found') return []
    throw error
  }
}
