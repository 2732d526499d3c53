import { z } from 'zod'

import { isTimezone } from '../calendar/local-time.ts'
import { AppError, type InputFault } from '../domain/errors.ts'
import { audiences } from '../domain/feed-options.ts'
import { feedStates, locales } from '../domain/feed.ts'
import { graceDaysMax } from '../domain/links/changes.ts'
import { likelyMeant } from '../domain/nearest.ts'
import {
  flagField,
  idField as id,
  inputFaults,
  listField,
  nameField,
  objectField,
  pageFields,
  textField as text,
} from './input-fields.ts'
import { isDots, linkLabelLengthMax } from './link-label.ts'

const timezone = z
  .string()
  // What is longer is none, and looking for it would take long and be remembered.
  .max(100, { abort: true })
  .refine(isTimezone, {
    error: 'Must be an IANA time zone such as Europe/Berlin.',
    params: { hint: meantZone },
  })
const name = nameField(255)
const userIds = listField(
  500,
  z
    .array(id)
    .min(1)
    .transform((ids) => [...new Set(ids)]),
)
/** What a link is called. */
export const linkLabelField = nameField(linkLabelLengthMax).refine(
  (it) => !isDots(it),
  'Must not be "." or "..".',
)
const locale = z.enum(locales)
const graceDays = z.int().min(0).max(graceDaysMax)

function meantZone(given: string): string {
  const zones = Intl.supportedValuesOf('timeZone')
  const meant = zones.find((zone) => isCityOf(zone, given)) ?? likelyMeant(given, zones)
  return meant === undefined ? '' : ` Did you mean ${meant}?`
}

/** Whoever is asked for a zone often says a city. */
function isCityOf(zone: string, given: string): boolean {
  return zone.toLowerCase().endsWith(`/${given.trim().toLowerCase().replaceAll(' ', '_')}`)
}

/** What a new feed may be given; what is left out takes its default. */
export const newFeedSchema = z.strictObject({
  companyId: id.optional(),
  userIds,
  audience: z.enum(audiences).optional(),
  name: name.optional(),
  timezone: timezone.optional(),
  locale: locale.optional(),
  options: objectField.optional(),
})

/** What may be changed of a feed, as an RFC 7396 merge patch: null takes the default again. */
export const feedPatchSchema = z.strictObject({
  userIds: userIds.optional(),
  name: name.nullable().optional(),
  timezone: timezone.nullable().optional(),
  locale: locale.nullable().optional(),
  options: objectField.nullable().optional(),
})

/** What a new link may be given. */
export const newLinkSchema = z.strictObject({ label: linkLabelField })

/** What a rotation may be given: whose label, and for how many days the old link goes on. */
export const rotationSchema = z.strictObject({
  label: linkLabelField.default('default'),
  graceDays: graceDays.default(0),
})

/** Which feeds a list holds. */
export const feedListSchema = z.strictObject({
  companyId: id.optional().describe('Only of this company'),
  userId: id.optional().describe('Only those with this person in them'),
  state: z
    .enum(feedStates)
    .optional()
    .describe('open: served; revoked: ended by hand; closed: by the bridge, since its person left'),
  neverPolled: flagField
    .optional()
    .describe('Only those that no calendar program has asked for; a browser is none'),
  search: text
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe(
      'Only those with this text in their name, in the id or the known name of a person in them, or this id',
    ),
  ...pageFields,
})

/** How a feed or a link is ended. */
export const endSchema = z.strictObject({
  purge: flagField
    .optional()
    .describe('First 30 days of a calendar of one event that says that it has ended'),
})

/** What is said of a table in its address. */
export const tableSchema = z.strictObject({ companyId: id.optional().describe('Of a table') })

/** Where an address says nothing but its path. */
export const bareSchema = z.strictObject({})

export type NewFeed = z.output<typeof newFeedSchema>
export type FeedPatch = z.output<typeof feedPatchSchema>

/**
 * The input as `schema` reads it; `invalid` with one fault per wrong or unknown member otherwise. Members that exist and are
 * `fixed` are told apart from unknown ones.
 */
export function parseInput<T>(
  schema: z.ZodType<T>,
  input: unknown,
  { what, fixed = [] }: { readonly what: string; readonly fixed?: readonly string[] },
): T {
  const parsed = schema.safeParse(input, { reportInput: true })
  if (parsed.success) return parsed.data
  throw new AppError('invalid', `${what} is not valid.`, {
    faults: inputFaults(parsed.error, schema, { fixed }),
  })
}

/** The query of an address as `schema` reads it; `invalid` with one fault per wrong or unknown parameter otherwise. */
export function parseQuery<T>(schema: z.ZodType<T>, query: object): T {
  const parsed = schema.safeParse(query, { reportInput: true })
  if (parsed.success) return parsed.data
  const faults = inputFaults(parsed.error, schema, { part: 'parameter' }).map((it) =>
    Array.isArray(Object(query)[it.pointer.slice(1)]) ? { ...it, detail: 'Must stand once.' } : it,
  )
  throw new AppError('invalid', `The query is not valid: ${sayFaults(faults)}`, { faults })
}

/** Of so many parameters it is said in the sentence, too. */
const saidMax = 10

/** Who calls an address by hand often sees nothing else. */
function sayFaults(faults: readonly InputFault[]): string {
  return faults
    .slice(0, saidMax)
    .map(({ pointer, detail }) => `${pointer.slice(1)}: ${detail}`)
    .join(' ')
}
