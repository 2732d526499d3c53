import { isDeepStrictEqual } from 'node:util'

import { z } from 'zod'

import { logAuditEvent } from '../domain/access/audit-entry.ts'
import type { FeedsAlike } from '../domain/company-defaults.ts'
import { ofCompany } from '../domain/company.ts'
import type { Connection } from '../domain/connection.ts'
import { AppError, asFailure, type InputFault } from '../domain/errors.ts'
import { type Audience, audiences, type OwnOptions, readOptions } from '../domain/feed-options.ts'
import { type CompanyDefaults, type KeptDefaults, locales, noDefaults } from '../domain/feed.ts'
import { CompanyLookup } from './company-lookup.ts'
import type { FeedsDeps } from './deps.ts'
import { refuseTooManyShifts } from './feed-drafts.ts'
import { fixedIn, nameTemplateField, objectField, parseInput } from './feed-input.ts'
import {
  changedOptions,
  ownOptionsSchema,
  patchOptions,
  refuseForAudience,
  valueAt,
} from './feed-options.ts'
import { type Answer, countSchema, warningsSchema } from './feed-view.ts'
import { auditEventOf } from './link-replacement.ts'
import { checkSchedules } from './schedule-options.ts'

const placeholder = '{firstName} stands for the first name of the person'

const defaultsSchema = z
  .strictObject({
    locale: z.enum(locales).nullable(),
    name: z.string().nullable().describe(placeholder),
    own: ownOptionsSchema.describe('Options of calendars for their own person'),
    others: ownOptionsSchema.describe('Options of calendars for others'),
  })
  .describe('What feeds of the company show unless they set it themselves')

export const companySchema = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    timezone: z.string(),
    defaults: defaultsSchema,
    openFeeds: countSchema,
  })
  .describe('A company with the defaults of its feeds')

export const companyPageSchema = z.strictObject({
  data: z.array(companySchema),
  nextCursor: z.null(),
})

export const changedCompanySchema = companySchema.extend({
  reachedFeeds: countSchema.describe(
    'Open feeds that follow the change at their next poll: all that do not set it themselves',
  ),
  warnings: warningsSchema,
})

/** A merge patch (RFC 7396): null removes a default. Options are checked once they are merged. */
export const companyPatchSchema = z.strictObject({
  defaults: z
    .strictObject({
      locale: z.enum(locales).nullable().optional(),
      name: nameTemplateField.nullable().optional().describe(placeholder),
      own: objectField.nullable().optional(),
      others: objectField.nullable().optional(),
    })
    .nullable()
    .optional(),
})

export type CompanyView = Answer<typeof companySchema>
export type CompanyPage = Answer<typeof companyPageSchema>
export type ChangedCompanyView = Answer<typeof changedCompanySchema>

interface ChangeOrder {
  readonly isDry?: boolean
  /** Of the defaults that the change was made for. */
  readonly revision?: number
}

type DefaultsPatch = z.output<typeof companyPatchSchema>['defaults']

const fixedMembers = fixedIn(companySchema, companyPatchSchema)

/** The companies and their defaults, for an actor who sees all of them or one. */
export class Companies {
  readonly #deps: FeedsDeps

  constructor(deps: FeedsDeps) {
    this.#deps = deps
  }

  /** In the order of the settings. */
  async list(): Promise<CompanyPage> {
    const open = await this.#deps.feeds.countOpenFeeds()
    const data: CompanyView[] = []
    for (const connection of this.#deps.connections.values()) {
      data.push(await this.#view(connection, open))
    }
    return { data, nextCursor: null }
  }

  /** `not_found`. */
  async show(id: string): Promise<CompanyView> {
    const connection = ofCompany(this.#deps.connections, id)
    return this.#view(connection, await this.#deps.feeds.countOpenFeeds())
  }

  /** The defaults with their revision; `not_found`. */
  async kept(id: string): Promise<KeptDefaults> {
    ofCompany(this.#deps.connections, id)
    return this.#deps.companyDefaults.findDefaults(id)
  }

  /**
   * Applies a merge patch (RFC 7396) of the defaults; one without effect is not logged. Feeds follow at their next poll.
   * `not_found`; `invalid` for wrong members and unknown schedules; `conflict` if the defaults are no longer those of
   * `revision`. With `isDry`, nothing changes.
   */
  async change(
    id: string,
    input: unknown,
    { isDry = false, revision }: ChangeOrder = {},
  ): Promise<ChangedCompanyView> {
    const connection = ofCompany(this.#deps.connections, id)
    const { defaults: patch } = parseInput(companyPatchSchema, input, {
      what: 'The change of the company',
      fixed: fixedMembers,
    })
    const warnings = await this.#checked(connection, patch)
    const { companyDefaults, log } = this.#deps
    const alike = await companyDefaults.listFeedsAlike(id)
    const patched = (defaults: KeptDefaults): CompanyDefaults | null => {
      if (revision !== undefined && defaults.revision !== revision) {
        throw new AppError('conflict', 'The defaults have been changed in the meantime.')
      }
      const next = patchDefaults(defaults, patch)
      return isDeepStrictEqual(viewDefaults(next), viewDefaults(defaults)) ? null : next
    }
    const auditEvent = auditEventOf(this.#deps, 'defaults_changed')
    const { before, after } = isDry
      ? await this.#tried(id, patched)
      : await companyDefaults.changeDefaults(id, patched, auditEvent)
    if (!isDry && after !== before) logAuditEvent(log, auditEvent, { companyId: id })
    return {
      ...viewCompany(connection, after, countOf(alike)),
      reachedFeeds: countOf(alike.filter((feeds) => isReached(feeds, before, after))),
      ...(warnings.length > 0 && { warnings }),
    }
  }

  async #tried(id: string, patched: (defaults: KeptDefaults) => CompanyDefaults | null) {
    const before = await this.#deps.companyDefaults.findDefaults(id)
    return { before, after: patched(before) ?? before }
  }

  async #view(connection: Connection, open: ReadonlyMap<string, number>): Promise<CompanyView> {
    const { id } = connection.company
    const defaults = await this.#deps.companyDefaults.findDefaults(id)
    return viewCompany(connection, defaults, open.get(id) ?? 0)
  }

  /** Warnings about schedules; `invalid` with all faults of the merged options. */
  async #checked(connection: Connection, patch: DefaultsPatch): Promise<readonly string[]> {
    const lookup = new CompanyLookup(connection, this.#deps)
    const before = await lookup.findDefaults()
    const checks = audiences.map(async (audience) => {
      const options = readOptions(audience, patchedOptions(before, patch, audience))
      // Larger feeds are not served by these defaults; this refuses what no feed could show.
      refuseTooManyShifts({ userIds: [''], options }, placeOf(audience))
      const change = patch?.[audience]
      return change ? checkSchedules(change, lookup, placeOf(audience)) : []
    })
    const results = await Promise.allSettled(checks)
    refuseFaults(results.flatMap((it) => (it.status === 'rejected' ? asFailure(it.reason) : [])))
    return [...new Set(results.flatMap((it) => (it.status === 'fulfilled' ? it.value : [])))]
  }
}

/** All faults as one `invalid`; anything else is thrown as it is. */
function refuseFaults(failures: readonly AppError[]): void {
  const [first] = failures
  if (!first) return
  const other = failures.find(({ code }) => code !== 'invalid')
  if (other) throw other
  throw new AppError('invalid', 'The defaults are not valid.', {
    faults: failures.flatMap(({ faults }): readonly InputFault[] => faults),
    moreFaults: failures.reduce((sum, { moreFaults }) => sum + moreFaults, 0),
  })
}

function placeOf(audience: Audience): { readonly pointer: string } {
  return { pointer: `/defaults/${audience}` }
}

function patchDefaults(before: CompanyDefaults, patch: DefaultsPatch): CompanyDefaults {
  if (patch === null) return noDefaults
  const { locale = before.locale, name = before.name } = patch ?? {}
  const options = (audience: Audience): OwnOptions => patchedOptions(before, patch, audience)
  return { locale, name, own: options('own'), others: options('others') }
}

function patchedOptions(
  before: CompanyDefaults,
  patch: DefaultsPatch,
  audience: Audience,
): OwnOptions {
  const change = patch === null ? null : patch?.[audience]
  if (change === null) return {}
  if (change === undefined) return before[audience]
  const options = patchOptions(before[audience], change, placeOf(audience))
  refuseForAudience(audience, options, placeOf(audience))
  return options
}

function isReached(
  { audience, isNamed, isLocaleSet, ownOptions }: FeedsAlike,
  before: CompanyDefaults,
  after: CompanyDefaults,
): boolean {
  if (before.name !== after.name && !isNamed) return true
  if (before.locale !== after.locale && !isLocaleSet) return true
  const changed = changedOptions(before[audience], after[audience])
  return changed.some((path) => valueAt(ownOptions, path) === undefined)
}

function countOf(feeds: readonly FeedsAlike[]): number {
  return feeds.reduce((sum, { count }) => sum + count, 0)
}

function viewCompany(
  { company: { id, name, timezone } }: Connection,
  defaults: CompanyDefaults,
  openFeeds: number,
): CompanyView {
  return { id, name, timezone, defaults: viewDefaults(defaults), openFeeds }
}

function viewDefaults({ locale, name, own, others }: CompanyDefaults): CompanyView['defaults'] {
  return { locale, name, own, others }
}
