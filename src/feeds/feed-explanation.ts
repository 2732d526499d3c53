/* Why something is in a calendar or missing from it, as the API and `explain --json` show it. */
import { z } from 'zod'

import type { Actor } from '../domain/access/staff.ts'
import { type ActivityStore, nextPoll } from '../domain/activity.ts'
import type { Connection } from '../domain/connection.ts'
import { AppError } from '../domain/errors.ts'
import type { FeedStore } from '../domain/feed-store.ts'
import type { Feed } from '../domain/feed.ts'
import { recordKinds } from '../domain/kinds.ts'
import type { FeedLink, LinkStore } from '../domain/link.ts'
import type { Clock } from '../domain/world.ts'
import { Explainer } from '../publishing/explanation/explainer.ts'
import {
  type Explanation,
  type ExplainedRecord,
  type ExplainedSource,
} from '../publishing/explanation/reasons.ts'
import {
  reasonCodes,
  reasonSentence,
  sourceSentence,
  stateCodes,
} from '../publishing/explanation/sentences.ts'
import type { Exporting } from '../publishing/written-once.ts'
import { connectionOf } from './company-lookup.ts'
import type { FeedAdministration } from './feed-administration.ts'
import { linkLabelField, parseQuery } from './feed-input.ts'
import { noLink } from './feed-links.ts'
import { type Answer, instantSchema, toIso, toIsoOrNull } from './feed-view.ts'
import { activeLinks, noFeed } from './link-replacement.ts'

export const explanationQuerySchema = z.strictObject({
  date: z.iso
    .date()
    .optional()
    .describe(
      "Only what touches that date, in the feed's time zone (in the company's for leave that is counted by day); leave and schedules are judged by that day alone",
    ),
  kind: z.enum(recordKinds).optional().describe('Only records of that kind'),
  label: linkLabelField
    .optional()
    .describe(
      'As this link shows it; without it, as all links that have not ended show it together, or the one that ended last',
    ),
})

export const explainedRecordSchema = z
  .strictObject({
    kind: z.enum(recordKinds),
    id: z.string(),
    userId: z
      .string()
      .nullable()
      .describe("null if it is about several of the feed's people or none"),
    shown: z.boolean(),
    code: z.enum(reasonCodes).describe('Why, for programs'),
    reason: z.string().describe('Why, as a sentence'),
    uids: z
      .array(z.string())
      .describe('UIDs of the events that show it; several records may share one'),
    dates: z
      .strictObject({ first: z.iso.date(), last: z.iso.date() })
      .nullable()
      .describe(
        "Both inclusive, in the feed's time zone (in the company's for leave that is counted by day); null for schedules and records without a date",
      ),
  })
  .describe('A record that was read, and whether the calendar has it')

export const explainedSourceSchema = z
  .strictObject({
    kind: z.enum([...recordKinds, 'user']).describe('user: the person’s own record'),
    subject: z.string().nullable().describe('Id of the user, project or invoice'),
    userId: z.string().nullable(),
    state: z.enum(stateCodes),
    fetchedAt: instantSchema.nullable().describe('When what the calendar shows was read'),
    reason: z.string(),
  })
  .describe('A list or record that the bridge asked the Read API for, and how old it is')

export const explainedLinkSchema = z
  .strictObject({
    label: z.string(),
    endsAt: instantSchema.nullable(),
    lastPolledAt: instantSchema.nullable(),
    client: z.string().nullable().describe('The calendar program that asked last'),
    expectedAt: instantSchema
      .nullable()
      .describe(
        'When it will probably ask again; null if it has stopped or its habit is not known',
      ),
  })
  .describe('When the calendar program of a link asked and will ask')

export const explanationSchema = z.strictObject({
  feedId: z.string().nullable().describe('null for a person without a feed'),
  at: instantSchema,
  records: z.array(explainedRecordSchema),
  sources: z.array(explainedSourceSchema),
  links: z.array(explainedLinkSchema),
})

export type ExplanationView = Answer<typeof explanationSchema>

export interface ExplainingDeps {
  readonly explainer: Explainer
  readonly feeds: Pick<FeedStore, 'findFeed' | 'listFeeds'>
  readonly links: Pick<LinkStore, 'listLinks'>
  readonly activity: Pick<ActivityStore, 'listActivity'>
  readonly connections: ReadonlyMap<string, Connection>
  readonly clock: Clock
}

/** `not_found` for a feed that the actor does not see, and for an unknown label. */
export async function explainFeed(
  deps: ExplainingDeps,
  { companyId }: Pick<Actor, 'companyId'>,
  feedId: string,
  query: object,
): Promise<ExplanationView> {
  const { label, ...scope } = parseQuery(explanationQuerySchema, query)
  const feed = await deps.feeds.findFeed(feedId)
  if (!feed || (companyId !== null && feed.companyId !== companyId)) throw noFeed(feedId)
  const all = await deps.links.listLinks([feedId])
  const links = label === undefined ? all : all.filter((link) => link.label === label)
  if (label !== undefined && links.length === 0) throw noLink(label, all)
  const now = deps.clock.now()
  const active = activeLinks(links, now)
  const asked = active.length > 0 ? active : lastOf(links)
  const explained = await deps.explainer.explainFeed(feed, asked, scope)
  const activity = await deps.activity.listActivity([feedId])
  return {
    ...viewExplained(feedId, explained),
    links: links.map((link) => {
      const { client, lastPolledAt, expectedAt } = nextPoll(link, activity, now)
      return {
        label: link.label,
        endsAt: toIsoOrNull(link.endsAt),
        lastPolledAt: toIsoOrNull(lastPolledAt),
        client,
        expectedAt: toIsoOrNull(expectedAt),
      }
    }),
  }
}

/** Of links that have ended, the one that ended last. */
function lastOf(links: readonly FeedLink[]): readonly FeedLink[] {
  return links.toSorted((one, other) => (one.endsAt ?? 0) - (other.endsAt ?? 0)).slice(-1)
}

/** Explains the person's own open feed, or else the one that they would get, of which nothing is stored. */
export async function explainPerson(
  deps: ExplainingDeps & {
    readonly administration: Pick<FeedAdministration, 'creation'>
    readonly exporting: Exporting
  },
  userId: string,
  companyId: string | undefined,
  query: object,
): Promise<ExplanationView> {
  const { label, ...scope } = parseQuery(explanationQuerySchema, query)
  const { company } = connectionOf(deps.connections, companyId)
  const own = await ownFeedOf(deps, company.id, userId)
  if (own) return explainFeed(deps, { companyId: company.id }, own.id, query)
  if (label !== undefined) {
    throw new AppError(
      'not_found',
      `"${userId}" has no feed of their own, so there is no link "${label}".`,
    )
  }
  const { creation } = deps.administration
  const { feed } = await creation.drafts().draft({ userIds: [userId], companyId: company.id })
  const explained = await deps.exporting((scratch) =>
    new Explainer({ ...scratch, served: null }).explainFeed(feed, [], scope),
  )
  return { ...viewExplained(null, explained), links: [] }
}

const feedsMax = 100

async function ownFeedOf(
  { feeds }: Pick<ExplainingDeps, 'feeds'>,
  companyId: string,
  userId: string,
): Promise<Feed | undefined> {
  const filter = { companyId, userIds: [userId], state: 'open' } as const
  const found = await feeds.listFeeds({ ...filter, limit: feedsMax })
  return found.find(({ audience }) => audience === 'own')
}

function viewExplained(
  feedId: string | null,
  { at, records, sources }: Explanation,
): Omit<ExplanationView, 'links'> {
  return {
    feedId,
    at: toIso(at),
    records: records.map(viewRecord),
    sources: sources.map(viewSource),
  }
}

function viewRecord(record: ExplainedRecord): ExplanationView['records'][number] {
  const { kind, id, userId, shown, reason, uids, dates } = record
  const sentence = reasonSentence(record)
  return { kind, id, userId, shown, code: reason.code, reason: sentence, uids, dates }
}

function viewSource(source: ExplainedSource): ExplanationView['sources'][number] {
  const { kind, subject, userId, state, fetchedAt } = source
  const since = toIsoOrNull(fetchedAt)
  const reason = sourceSentence(source)
  return { kind, subject, userId, state: state.code, fetchedAt: since, reason }
}
