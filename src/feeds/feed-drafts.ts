import { randomUUID } from 'node:crypto'

import type { Connection } from '../domain/connection.ts'
import { AppError, asAppError, type InputFault } from '../domain/errors.ts'
import { type Audience, type OwnOptions, readOptions } from '../domain/feed-options.ts'
import type { Feed, Locale } from '../domain/feed.ts'
import type { User } from '../domain/user.ts'
import type { Clock } from '../domain/world.ts'
import { Directory } from './company-lookup.ts'
import { type NewFeed, newFeedSchema, parseInput } from './feed-input.ts'
import { patchOptions } from './feed-options.ts'
import { refuseTooManyShifts } from './feed-size.ts'

/** How many feeds are checked at once. */
const draftsAtOnce = 64

/** A feed as it would be made. */
export interface FeedDraft {
  readonly feed: Feed
  readonly connection: Connection
  /** As the Read API knows them; without those that it did not answer for. */
  readonly users: readonly User[]
  /** What could not be checked, in sentences. */
  readonly warnings: readonly string[]
}

interface KnownPeople {
  readonly users: readonly User[]
  readonly warnings: readonly string[]
}

interface DraftsDeps {
  readonly clock: Clock
  readonly connections: ReadonlyMap<string, Connection>
}

/** Feeds as inputs describe them, checked against the Read API, every default filled in, none of them kept. */
export class FeedDrafts {
  readonly #deps: DraftsDeps
  readonly #directories = new Map<string, Directory>()

  constructor(deps: DraftsDeps) {
    this.#deps = deps
  }

  /**
   * `invalid` for wrong input and for users that the Read API does not know; while it does not answer the draft
   * carries a warning instead.
   */
  async draft(input: unknown): Promise<FeedDraft> {
    const wanted = parseInput(newFeedSchema, input, 'The feed')
    const directory = this.#directoryOf(wanted.companyId)
    const { users, warnings } = await askForPeople(directory, wanted.userIds)
    const plan = await this.#plan(wanted, directory, users)
    const { connection } = directory
    return { feed: plan.feed, connection, users, warnings: [...warnings, ...plan.warnings] }
  }

  /** All of them or none: `invalid` with the faults of all, each pointer starting with the input's index. */
  async draftAll(
    inputs: readonly unknown[],
    onChecked: (count: number) => void = () => undefined,
  ): Promise<readonly FeedDraft[]> {
    const drafts: FeedDraft[] = []
    const faults: InputFault[] = []
    for (let start = 0; start < inputs.length; start += draftsAtOnce) {
      const part = inputs.slice(start, start + draftsAtOnce)
      const results = await Promise.all(part.map((input) => this.draft(input).catch(asInvalid)))
      for (const [index, result] of results.entries()) {
        if (result instanceof AppError) faults.push(...faultsAt(start + index, result))
        else drafts.push(result)
      }
      onChecked(start + part.length)
    }
    if (faults.length === 0) return drafts
    throw new AppError('invalid', 'Some of the feeds are not valid, none was made.', { faults })
  }

  async #plan(
    wanted: NewFeed,
    directory: Directory,
    users: readonly User[],
  ): Promise<Pick<FeedDraft, 'feed' | 'warnings'>> {
    const { company } = directory.connection
    const audience = audienceOf(wanted)
    if (audience === 'own') refuseDeparted(users)
    const locale = wanted.locale ?? 'en'
    const { ownOptions, failure } = await fillSchedules(
      patchOptions({}, wanted.options ?? {}),
      directory,
    )
    const options = readOptions(audience, ownOptions)
    refuseTooManyShifts({ userIds: wanted.userIds, options })
    const feed = {
      id: `feed_${randomUUID().replaceAll('-', '')}`,
      companyId: company.id,
      userIds: wanted.userIds,
      audience,
      name: wanted.name ?? defaultName(users, audience, locale),
      timezone: wanted.timezone ?? company.timezone,
      locale,
      ownOptions,
      options,
      choices: null,
      revision: 1,
      leavesShown: false,
      createdAt: this.#deps.clock.now(),
      revokedAt: null,
      purged: false,
      closedAt: null,
      closedBecause: null,
    }
    return { feed, warnings: failure && options.shifts.show ? [noSchedules] : [] }
  }

  #directoryOf(companyId: string | undefined): Directory {
    const connection = connectionOf(this.#deps.connections, companyId)
    const { id } = connection.company
    const directory = this.#directories.get(id) ?? new Directory(connection)
    this.#directories.set(id, directory)
    return directory
  }
}

const noSchedules =
  'The company’s schedules could not be read, so the feed shows no shifts until its scheduleIds are set.'

/** The options with the company's schedules, where they name none; unchanged, with the failure, where those cannot be read. */
export async function fillSchedules(
  ownOptions: OwnOptions,
  directory: Directory,
): Promise<{ readonly ownOptions: OwnOptions; readonly failure?: AppError }> {
  if (ownOptions.shifts?.scheduleIds) return { ownOptions }
  const scheduleIds = await directory.defaultSchedules()
  if (scheduleIds instanceof AppError) return { ownOptions, failure: scheduleIds }
  return { ownOptions: { ...ownOptions, shifts: { ...ownOptions.shifts, scheduleIds } } }
}

/** The company's connection, the only one where none is named; `invalid` otherwise. */
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
      : `There is no company "${companyId}".`
  throw invalidFeed('/companyId', detail)
}

/** The users as the Read API knows them; `invalid` naming those it does not know. */
export async function askForPeople(
  directory: Directory,
  userIds: readonly string[],
): Promise<KnownPeople> {
  const answers = await Promise.all(userIds.map((id) => directory.findUser(id)))
  const faults = answers.flatMap((answer, index) =>
    answer instanceof AppError && answer.code === 'upstream_not_found'
      ? [{ pointer: `/userIds/${index}`, detail: `There is no user "${userIds[index]}".` }]
      : [],
  )
  if (faults.length > 0) throw new AppError('invalid', 'The feed is not valid.', { faults })
  const failure = answers.find((answer) => answer instanceof AppError)
  return {
    users: answers.filter((answer): answer is User => !(answer instanceof AppError)),
    warnings: failure
      ? [
          `The users could not be checked, the feed was made or changed all the same: ${failure.message}`,
        ]
      : [],
  }
}

/** "{first name}'s work calendar" of an own feed, in the language of the feed. */
export function defaultName(users: readonly User[], audience: Audience, locale: Locale): string {
  const firstName = audience === 'own' ? users[0]?.firstName?.trim() : undefined
  if (locale === 'de') return firstName ? `Arbeitskalender von ${firstName}` : 'Arbeitskalender'
  return firstName ? `${firstName}'s work calendar` : 'Work calendar'
}

/** `invalid` with one fault. */
export function invalidFeed(pointer: string, detail: string): AppError {
  return new AppError('invalid', 'The feed is not valid.', { faults: [{ pointer, detail }] })
}

function audienceOf({ audience, userIds }: NewFeed): Audience {
  if (audience !== 'own' || userIds.length === 1) {
    return audience ?? (userIds.length === 1 ? 'own' : 'others')
  }
  throw invalidFeed('/audience', 'Must be "others" for a feed of several users.')
}

function refuseDeparted([user]: readonly User[]): void {
  if (user?.isActive !== false) return
  throw invalidFeed(
    '/userIds/0',
    `The user "${user.id}" has left: the Read API says "isActive": false.`,
  )
}

function asInvalid(error: unknown): AppError {
  const known = asAppError(error)
  if (known?.code !== 'invalid') throw error
  return known
}

function faultsAt(index: number, { faults }: AppError): readonly InputFault[] {
  return faults.map(({ pointer, detail }) => ({ pointer: `/${index}${pointer}`, detail }))
}
