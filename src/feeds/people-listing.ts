import { z } from 'zod'

import type { ActivityStore, ClientActivity } from '../domain/activity.ts'
import { ofCompany } from '../domain/company.ts'
import type { Connection } from '../domain/connection.ts'
import { collectionKey, type CopyHead, type CopyStore } from '../domain/copy.ts'
import { audiences } from '../domain/feed-options.ts'
import type { FeedStore } from '../domain/feed-store.ts'
import type { LeaveProof, LeaveProofStore } from '../domain/leave.ts'
import {
  type CountedClaims,
  type ListedPerson,
  listedStates,
  missingFeeds,
  type PeopleListStore,
} from '../domain/people-list.ts'
import type { LookRoundStore } from '../domain/person.ts'
import { displayName } from '../domain/user.ts'
import { idField, pageFields, parseQuery, textField } from './feed-input.ts'
import { type Answer, instantSchema, toIsoOrNull } from './feed-view.ts'
import { readCursor, readInParts, writeCursor } from './pages.ts'

/** Names may have any character but U+0000, which PostgreSQL refuses. */
const placeNameField = z.string().refine((it) => !it.includes('\0'))
/** A place in the list of people. */
export const placeSchema = z.tuple([placeNameField, idField])

export const peopleListSchema = z.strictObject({
  search: textField
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe('Only people with this text in their name, mail address or id'),
  state: z
    .enum(listedStates)
    .optional()
    .describe(
      'left: no longer active, or unknown to the Read API; held: the id may be another person’s; unread: not read yet; misnamed: the Read API answers with another id',
    ),
  feed: z
    .enum(missingFeeds)
    .optional()
    .describe(
      'none: only people without an open calendar of their own; unpolled: only people with one that no calendar program has asked for',
    ),
  limit: pageFields.limit,
  // Names and ids may be long.
  cursor: z.string().max(3000).optional().describe('nextCursor of the previous page'),
})

export const listedPersonSchema = z
  .strictObject({
    userId: z.string(),
    displayName: z.string().describe('First and last name; may be empty'),
    firstName: z.string().nullable(),
    lastName: z.string().nullable(),
    email: z.string().nullable(),
    manager: z.strictObject({ userId: z.string(), displayName: z.string() }).nullable(),
    state: z.enum(listedStates),
    problems: z.array(z.string()).describe('What could not be read of the person, in sentences'),
    feeds: z
      .array(z.strictObject({ id: z.string(), name: z.string(), audience: z.enum(audiences) }))
      .describe('The open feeds that show the person'),
    lastPolledAt: instantSchema
      .nullable()
      .describe('When a calendar program last asked for a feed of their own'),
    client: z.string().nullable().describe('The calendar program that asked'),
  })
  .describe('A person of the directory')

export const peoplePageSchema = z.strictObject({
  data: z.array(listedPersonSchema),
  nextCursor: z.string().nullable(),
  directory: z
    .strictObject({
      lookedAt: instantSchema.nullable().describe('When the bridge last looked for people'),
      problems: z
        .array(z.strictObject({ source: z.string(), reason: z.string() }))
        .describe('Sources that could not be read'),
    })
    .describe('How complete the list is'),
})

export type ListedPersonView = Answer<typeof listedPersonSchema>
export type PeoplePage = Answer<typeof peoplePageSchema>

export interface PeopleListingDeps {
  readonly peopleList: PeopleListStore
  readonly feeds: Pick<FeedStore, 'listFeeds'>
  readonly lookRounds: Pick<LookRoundStore, 'findRound'>
  readonly activity: Pick<ActivityStore, 'listActivity'>
  readonly copies: Pick<CopyStore, 'findHeads'>
  readonly proofs: Pick<LeaveProofStore, 'findProof'>
  /** By company. */
  readonly connections: ReadonlyMap<string, Pick<Connection, 'id'>>
}

/** No part of a page has more. */
const feedsMax = 100_000

/** A page of a company's people, by name and id. `invalid` for wrong filters, `not_found` for an unknown company. */
export async function listPeople(
  deps: PeopleListingDeps,
  companyId: string,
  query: object,
): Promise<PeoplePage> {
  const connection = ofCompany(deps.connections, companyId)
  const { limit, cursor, ...filter } = parseQuery(peopleListSchema, query)
  const [sortName = '', userId = ''] = cursor === undefined ? [] : readCursor(placeSchema, cursor)
  const { lookedAt, problems } = await deps.lookRounds.findRound(companyId)
  const { data, end } = await readInParts({
    begin: cursor === undefined ? null : { sortName, userId },
    limit,
    read: (after, most) => deps.peopleList.list({ ...filter, companyId, after, limit: most }),
    view: (people) => viewPeople(deps, { companyId, connectionId: connection.id }, people),
  })
  return {
    data,
    nextCursor: end && writeCursor([end.sortName, end.userId]),
    directory: { lookedAt: toIsoOrNull(lookedAt), problems: problems.map((it) => ({ ...it })) },
  }
}

async function viewPeople(
  { peopleList, feeds, activity, copies, proofs }: PeopleListingDeps,
  { companyId, connectionId }: { readonly companyId: string; readonly connectionId: string },
  people: readonly ListedPerson[],
): Promise<readonly ListedPersonView[]> {
  const ids = people.map(({ userId }) => userId)
  const filter = { companyId, userIds: ids, state: 'open', limit: feedsMax } as const
  const all = await feeds.listFeeds(filter)
  const shown = Map.groupBy(
    all.flatMap((feed) => feed.userIds.map((userId) => ({ userId, feed }))),
    ({ userId }) => userId,
  )
  const own = all.filter(({ audience }) => audience === 'own')
  const polls = await activity.listActivity(own.map(({ id }) => id))
  const byFeed = Map.groupBy(polls, ({ feedId }) => feedId)
  const heads = await copies.findHeads(connectionId, ids.map(leavesOf))
  const headOf = new Map(heads.map((head) => [head.key, head]))
  const claims = await peopleList.countClaims(connectionId, ids)
  const proof = await proofs.findProof(connectionId)
  return people.map((person) => {
    const { userId, firstName, lastName, email, manager, state } = person
    const theirs = (shown.get(userId) ?? []).map(({ feed }) => feed)
    const last = lastPoll(theirs.flatMap(({ id }) => byFeed.get(id) ?? []))
    const leaves = { proof, head: headOf.get(leavesOf(userId)), claims: claims.get(userId) }
    return {
      userId,
      displayName: displayName(person),
      firstName,
      lastName,
      email,
      manager: manager && { userId: manager.id, displayName: displayName(manager) },
      state,
      problems: [
        ...nameProblems(person),
        ...(theirs.length > 0 ? leaveProblems(person, leaves) : []),
      ],
      feeds: theirs.map(({ id, name, audience }) => ({ id, name, audience })),
      lastPolledAt: toIsoOrNull(last?.lastPolledAt ?? null),
      client: last?.client ?? null,
    }
  })
}

function leavesOf(userId: string): string {
  return collectionKey({ kind: 'leaves', subject: userId })
}

/** A browser is no calendar program. */
export function lastPoll(activity: readonly ClientActivity[]): ClientActivity | undefined {
  const polls = activity.filter(({ client }) => client !== 'browser')
  return polls.toSorted((a, b) => b.lastPolledAt - a.lastPolledAt)[0]
}

function nameProblems(person: ListedPerson): readonly string[] {
  const { userId, state, isHeldBack } = person
  if (state === 'unread') return ['Their user record has not been read yet.']
  if (state === 'misnamed') return ['The workforce system answers with another id.']
  if (state === 'held') {
    return [
      `The workforce system now has another name and mail address: decide with bridge person confirm --user ${userId}.`,
    ]
  }
  const isNameless = displayName(person) === ''
  return [
    ...(isNameless ? ['Their user record has no name.'] : []),
    ...(isHeldBack
      ? ['They left with too many others at once, so their calendars continue for now.']
      : []),
  ]
}

function proofProblems({ state, reason }: LeaveProof): readonly string[] {
  if (state === 'proven') return []
  return reason === 'not_asked'
    ? ['Leaves have not been read yet: the first poll of a calendar reads them.']
    : ['Leaves are not proven to be theirs: doctor says why.']
}

function leaveProblems(
  { state }: ListedPerson,
  {
    proof,
    head,
    claims: { disputed, refused } = { disputed: 0, refused: 0 },
  }: {
    readonly proof: LeaveProof
    readonly head: CopyHead | undefined
    readonly claims: CountedClaims | undefined
  },
): readonly string[] {
  const held = Object.keys(head?.held ?? {}).length
  return [
    ...proofProblems(proof),
    ...(refused > 0 && state !== 'left'
      ? ['The workforce system refuses to give their leaves.']
      : []),
    ...(disputed > 0 ? [`Leaves that also came for somebody else: ${disputed}.`] : []),
    ...(held > 0 ? [`Leaves that cannot be read and are shown as they were: ${held}.`] : []),
    ...(head?.doubt
      ? ['Far fewer leaves came than before: the earlier ones are shown until that is certain.']
      : []),
  ]
}
