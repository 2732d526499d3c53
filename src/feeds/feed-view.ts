import { z } from 'zod'

import { activityOf, type ClientActivity } from '../domain/activity.ts'
import type { Company } from '../domain/company.ts'
import { audiences } from '../domain/feed-options.ts'
import { type Feed, locales, teamDepths } from '../domain/feed.ts'
import { feedKinds } from '../domain/kinds.ts'
import type { FeedLink } from '../domain/link.ts'
import { onHolidays, shiftsShowAs } from '../domain/schedule.ts'
import type { Instant } from '../domain/world.ts'
import { choiceShape, feedOptionsSchema, ownOptionsSchema } from './feed-options.ts'

export interface LinkAddresses {
  readonly url: string
  readonly page: string
}

/** Only the answer that creates a link contains them. */
export function linkAddresses(publicUrl: string, token: string, name: string): LinkAddresses {
  return { url: feedUrl(publicUrl, token, name), page: pageUrl(publicUrl, token) }
}

/** The secret address of a calendar: `{base}/feeds/{token}/{slug}.ics`. */
export function feedUrl(publicUrl: string, token: string, name: string): string {
  return `${pageUrl(publicUrl, token)}/${slug(name)}.ics`
}

export function pageUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/feeds/${token}`
}

/** Lowercase ASCII words with hyphens: only for people, so it may lose what ASCII lacks. */
function slug(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}|['’]/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g)
  return words?.join('-').slice(0, 60).replace(/-$/, '') ?? 'calendar'
}

export const instantSchema = z.iso.datetime().describe('RFC 3339, in UTC')
export const countSchema = z.int().min(0)

const choicesSchema = z
  .strictObject({
    hide: z.array(z.enum(feedKinds)).describe('Kinds that are not shown'),
    ...choiceShape,
  })
  .partial()
  .describe('Choices of its holder on its page; the feed decides the rest')

export const linkSchema = z
  .strictObject({
    label: z.string(),
    url: z.string().optional().describe('The secret address; only in the reply that creates it'),
    page: z.string().optional().describe('The page for its holder, to be mailed; just as secret'),
    createdAt: instantSchema,
    endsAt: instantSchema.nullable(),
    lastPolledAt: instantSchema.nullable(),
    client: z.string().nullable().describe('Client family of the last poll'),
    choices: choicesSchema,
    onlyAway: z.literal(true).optional().describe('Its holder only sees "Away"'),
  })
  .describe('One secret address of a feed')

const teamSchema = z
  .strictObject({ managerId: z.string(), depth: z.enum(teamDepths) })
  .describe('Everybody who reports to the manager, directly or at any depth')

export const feedSchema = z
  .strictObject({
    id: z.string(),
    companyId: z.string(),
    userIds: z.array(z.string()).describe('For a team: its present members'),
    team: teamSchema.nullable(),
    audience: z.enum(audiences),
    name: z.string(),
    timezone: z.string(),
    locale: z.enum(locales),
    options: feedOptionsSchema,
    ownOptions: ownOptionsSchema.describe('Only the options that are set for this feed'),
    links: z.array(linkSchema),
    createdAt: instantSchema,
    revokedAt: instantSchema.nullable(),
    closedBecause: z.string().nullable(),
  })
  .describe('A calendar for one person (own) or about several (others)')

export const warningsSchema = z
  .array(z.string())
  .optional()
  .describe('What could not be checked, or may be a mistake')

export const rotatedLinkSchema = linkSchema
  .extend({
    warnings: z
      .array(z.string())
      .optional()
      .describe('Other addresses of the feed that keep working, and how to end them'),
  })
  .describe('A secret address of a feed that replaces another one')

export const changedFeedSchema = feedSchema.extend({ warnings: warningsSchema })

export const importedFeedSchema = feedSchema.extend({
  status: z
    .enum(['created', 'skipped', 'rotated', 'failed'])
    .optional()
    .describe('Only for rows of a table; a failed feed was not created or rotated'),
  reason: z.string().optional().describe('Why a row failed, or a note about it'),
  displayName: z.string().optional().describe("Of a row of a table: the person's name"),
  email: z.string().optional().describe("Of a row of a table: the person's, where it is known"),
  mail: z.string().optional().describe('"mailed" or "mail refused: …", if mailing was requested'),
})

export const importedFeedsSchema = z.strictObject({
  data: z.array(importedFeedSchema),
  warnings: warningsSchema,
})

export const feedPageSchema = z.strictObject({
  data: z.array(feedSchema),
  nextCursor: z.string().nullable(),
  warnings: warningsSchema,
})

/** One family of clients that polls one link. */
export const clientSchema = z.strictObject({
  label: z.string(),
  client: z.string(),
  firstPolledAt: instantSchema,
  lastPolledAt: instantSchema,
  /** HTTP status of the last answer. */
  lastStatus: z.int(),
  polls: countSchema,
  /** null for browsers, which keep nothing. */
  verdict: z.string().nullable().describe('A sentence that says whether it has the last change'),
})

/** null while there is no copy, or while it is not missing. */
export const collectionSchema = z.strictObject({
  collection: z.string(),
  fetchedAt: instantSchema.nullable(),
  missingSince: instantSchema.nullable(),
})

export const feedDetailsSchema = feedSchema.extend({
  activity: z.array(clientSchema),
  freshness: z.array(collectionSchema),
  warnings: z.array(z.string()).optional().describe('What is unusual about a team'),
})

/** What `.json` answers; start and end are instants or, for whole days, dates, the end exclusive. */
export const calendarSchema = z
  .strictObject({
    name: z.string(),
    timezone: z.string(),
    events: z.array(
      z.strictObject({
        uid: z.string(),
        kind: z.string(),
        title: z.string(),
        description: z.string().nullable(),
        start: z.string(),
        end: z.string(),
        allDay: z.boolean(),
        status: z.string(),
        busy: z.string(),
        sequence: countSchema,
        lastModified: instantSchema,
      }),
    ),
  })
  .describe('The events of a calendar')

export type Answer<Schema extends z.ZodType> = DeepReadonly<z.output<Schema>>
type DeepReadonly<T> = unknown extends T ? T : { readonly [K in keyof T]: DeepReadonly<T[K]> }

/** A feed as the API and `--json` show it. */
export type FeedView = Answer<typeof feedSchema>
export type LinkView = Answer<typeof linkSchema>
export type RotatedLinkView = Answer<typeof rotatedLinkSchema>

export type ImportedFeedView = Answer<typeof importedFeedSchema>
export type ImportedFeedsView = Answer<typeof importedFeedsSchema>
export type FeedPage = Answer<typeof feedPageSchema>
export type ClientView = Answer<typeof clientSchema>
export type CollectionView = Answer<typeof collectionSchema>
export type FeedDetails = Answer<typeof feedDetailsSchema>

export function viewFeed(
  feed: Feed,
  links: readonly LinkView[],
  company: Company | undefined,
): FeedView {
  const { shifts } = feed.options
  return {
    id: feed.id,
    companyId: feed.companyId,
    userIds: feed.userIds,
    team: feed.team,
    audience: feed.audience,
    name: feed.name,
    timezone: feed.timezone,
    locale: feed.locale,
    options: {
      ...feed.options,
      shifts: {
        ...shifts,
        onHolidays: company ? onHolidays(shifts, company) : shifts.onHolidays,
        showAs: shiftsShowAs(shifts),
      },
    },
    ownOptions: feed.ownOptions,
    links,
    createdAt: toIso(feed.createdAt),
    revokedAt: toIsoOrNull(feed.revokedAt),
    closedBecause: feed.closedBecause,
  }
}

/** Without addresses or activity unless they are given. */
export function viewLink(
  link: FeedLink,
  {
    addresses,
    activity = [],
  }: { addresses?: LinkAddresses; activity?: readonly ClientActivity[] } = {},
): LinkView {
  const [last] = activityOf(link, activity)
  const { onlyAway, ...choices } = link.choices
  return {
    label: link.label,
    ...addresses,
    createdAt: toIso(link.createdAt),
    endsAt: toIsoOrNull(link.endsAt),
    choices,
    ...(onlyAway ? { onlyAway } : {}),
    lastPolledAt: toIsoOrNull(last?.lastPolledAt ?? null),
    client: last?.client ?? null,
  }
}

export function toIso(instant: Instant): string {
  return new Date(instant).toISOString()
}

export function toIsoOrNull(instant: Instant | null): string | null {
  return instant === null ? null : toIso(instant)
}
