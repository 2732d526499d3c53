import { z } from 'zod'

import { activityOf, type ClientActivity } from '../domain/activity.ts'
import { audiences } from '../domain/feed-options.ts'
import { type Feed, locales } from '../domain/feed.ts'
import { feedKinds } from '../domain/kinds.ts'
import { leaveDetails } from '../domain/leave.ts'
import type { FeedLink } from '../domain/link.ts'
import type { Instant } from '../domain/world.ts'
import { feedOptionsSchema, ownOptionsSchema, reminderField } from './feed-options.ts'

/** Where the holder of a link finds the calendar and its page. */
export interface LinkAddresses {
  readonly url: string
  readonly page: string
}

/** Both addresses of a link, of which no other reply than the one that makes it tells. */
export function linkAddresses(publicUrl: string, token: string, name: string): LinkAddresses {
  return { url: feedUrl(publicUrl, token, name), page: pageUrl(publicUrl, token) }
}

/** The secret address of a calendar: `{base}/feeds/{token}/{slug}.ics`. */
export function feedUrl(publicUrl: string, token: string, name: string): string {
  return `${pageUrl(publicUrl, token)}/${slug(name)}.ics`
}

/** The address of the page beside the calendar. */
export function pageUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/feeds/${token}`
}

/** Lowercase ASCII words joined by hyphens: it is only for people, so it may lose what ASCII lacks. */
function slug(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}|['’]/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g)
  return words?.join('-').slice(0, 60).replace(/-$/, '') ?? 'calendar'
}

/* What programs are told of feeds: one schema makes the type of each answer and its description in the API's document. */

/** An instant as programs see it. */
export const instantSchema = z.iso.datetime().describe('RFC 3339, in UTC')
const countSchema = z.int().min(0)

/** What the holder of a link has chosen for it on its page. */
const choicesSchema = z
  .strictObject({
    hide: z.array(z.enum(feedKinds)).describe('Kinds that are not shown'),
    detail: z.enum(leaveDetails),
    locale: z.enum(locales),
    reminderMinutes: z
      .union([reminderField, z.literal('none')])
      .describe('none: although the feed has one'),
  })
  .partial()
  .describe('What its holder has chosen on its page; the rest is as the feed has it')

/** One secret address of a feed. */
export const linkSchema = z
  .strictObject({
    label: z.string(),
    url: z.string().optional().describe('The secret address; only in the reply that makes it'),
    page: z.string().optional().describe('The page for its holder, to be mailed; as secret'),
    createdAt: instantSchema,
    endsAt: instantSchema.nullable(),
    lastPolledAt: instantSchema.nullable(),
    client: z.string().nullable().describe('The family of the client that asked last'),
    choices: choicesSchema,
    onlyAway: z.literal(true).optional().describe('Its holder can see no more than "Away"'),
  })
  .describe('One secret address of a feed')

/** A feed with its links. */
export const feedSchema = z
  .strictObject({
    id: z.string(),
    companyId: z.string(),
    userIds: z.array(z.string()),
    audience: z.enum(audiences),
    name: z.string(),
    timezone: z.string(),
    locale: z.enum(locales),
    options: feedOptionsSchema,
    ownOptions: ownOptionsSchema.describe('Those of them that are set for this feed'),
    links: z.array(linkSchema),
    createdAt: instantSchema,
    revokedAt: instantSchema.nullable(),
    closedBecause: z.string().nullable(),
  })
  .describe('A calendar for one person (own) or about several (others)')

const warnings = z
  .array(z.string())
  .optional()
  .describe('What could not be checked, or may not be meant')

/** A link in the place of another one. */
export const rotatedLinkSchema = linkSchema
  .extend({
    warnings: z
      .array(z.string())
      .optional()
      .describe('Which other addresses of the feed go on, and what ends them'),
  })
  .describe('One secret address of a feed, made in the place of another one')

/** A feed that was just made or changed. */
export const changedFeedSchema = feedSchema.extend({ warnings })

/** A feed of several that were asked for together. */
export const importedFeedSchema = feedSchema.extend({
  status: z
    .enum(['created', 'skipped', 'rotated', 'failed'])
    .optional()
    .describe('Of a row of a table; a failed one was not made or rotated'),
  reason: z.string().optional().describe('Why a row failed, or what should be known of it'),
  displayName: z.string().optional().describe("Of a row of a table: the person's name"),
  email: z.string().optional().describe("Of a row of a table: the person's, where it is known"),
  mail: z.string().optional().describe('"mailed" or "mail refused: …", where that was asked for'),
})

/** Several feeds that were just made. */
export const importedFeedsSchema = z.strictObject({ data: z.array(importedFeedSchema), warnings })

/** One page of a list; `nextCursor` asks for the next one, null at the end. */
export const feedPageSchema = z.strictObject({
  data: z.array(feedSchema),
  nextCursor: z.string().nullable(),
  warnings,
})

/** What one family of clients has asked of one link. */
export const clientSchema = z.strictObject({
  label: z.string(),
  client: z.string(),
  firstPolledAt: instantSchema,
  lastPolledAt: instantSchema,
  /** HTTP status of the last answer. */
  lastStatus: z.int(),
  polls: countSchema,
  /** Null for a browser, which keeps nothing. */
  verdict: z.string().nullable().describe('Whether it has the last change, in a sentence'),
})

/** One collection that the feed is made of; nulls while there is no copy of it, or while it is not missing. */
export const collectionSchema = z.strictObject({
  collection: z.string(),
  fetchedAt: instantSchema.nullable(),
  missingSince: instantSchema.nullable(),
})

/** A feed with what support wants to know: who asked, and how old its copies are. */
export const feedDetailsSchema = feedSchema.extend({
  activity: z.array(clientSchema),
  freshness: z.array(collectionSchema),
})

/** What goes out by a schema. */
export type Answer<Schema extends z.ZodType> = Unchanging<z.output<Schema>>
type Unchanging<T> = { readonly [K in keyof T]: Unchanging<T[K]> }

/** A feed as programs see it: the body of the API's replies and of the command line's `--json`. */
export type FeedView = Answer<typeof feedSchema>
export type LinkView = Answer<typeof linkSchema>
export type RotatedLinkView = Answer<typeof rotatedLinkSchema>

export type ImportedFeedView = Answer<typeof importedFeedSchema>
export type ImportedFeedsView = Answer<typeof importedFeedsSchema>
export type FeedPage = Answer<typeof feedPageSchema>
export type ClientView = Answer<typeof clientSchema>
export type CollectionView = Answer<typeof collectionSchema>
export type FeedDetails = Answer<typeof feedDetailsSchema>

/** The feed with its links, instants in RFC 3339. */
export function viewFeed(feed: Feed, links: readonly LinkView[]): FeedView {
  return {
    id: feed.id,
    companyId: feed.companyId,
    userIds: feed.userIds,
    audience: feed.audience,
    name: feed.name,
    timezone: feed.timezone,
    locale: feed.locale,
    options: feed.options,
    ownOptions: feed.ownOptions,
    links,
    createdAt: toIso(feed.createdAt),
    revokedAt: toIsoOrNull(feed.revokedAt),
    closedBecause: feed.closedBecause,
  }
}

/** The link, with its addresses only where they are handed in, and with who asked last where that is known. */
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

/** In RFC 3339, as the Read API writes instants. */
export function toIso(instant: Instant): string {
  return new Date(instant).toISOString()
}

/** In RFC 3339; null stays. */
export function toIsoOrNull(instant: Instant | null): string | null {
  return instant === null ? null : toIso(instant)
}
