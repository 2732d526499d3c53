/*
 * The step that made options sparse. Before it, each feed stored all options, as the program knew them when the feed was
 * created.
 */
import { sql } from 'kysely'

import type { Dialect } from '../../database/database.ts'
import type { SchemaQueries } from '../../database/migrate.ts'

const feedsAtOnce = 500

type Options = Readonly<Record<string, unknown>>

/** The default of each option when this step was written; later defaults change nothing here. */
const defaults: Readonly<Record<string, Options>> = {
  own: defaultsOf(true),
  others: defaultsOf(false),
}

interface StoredFeed {
  readonly id: string
  readonly created_at: number
  readonly audience: string
  readonly options: string
}

/**
 * Stores only options that differ from the defaults, in a renamed column: nodes of the previous version then fail instead
 * of misreading sparse options. Updates feeds in order of creation, as on disk: in any other order, each would touch a page
 * of its own.
 */
export async function makeOptionsSparse(queries: SchemaQueries, dialect: Dialect): Promise<void> {
  const isPostgres = dialect === 'postgres'
  let last = { created_at: -1, id: '' }
  for (;;) {
    const { rows } = await sql<StoredFeed>`select id, created_at, audience, options from feeds
      where (created_at, id) > (${last.created_at}, ${last.id})
      order by created_at, id limit ${feedsAtOnce}`.execute(queries)
    const json = JSON.stringify(Object.fromEntries(rows.map((it) => [it.id, ownOptionsOf(it)])))
    const changed = isPostgres ? sql`json_each_text(${json}::json)` : sql`json_each(${json})`
    await sql`update feeds set options = changed.value from ${changed} as changed
      where feeds.id = changed.key ${isPostgres ? sql`collate "C"` : sql``}`.execute(queries)
    if (rows.length < feedsAtOnce) break
    last = rows.at(-1) ?? last
  }
  await sql`alter table feeds rename column options to own_options`.execute(queries)
}

/** Leaves unreadable options as they are; only readers of that feed get the error. */
function ownOptionsOf({ audience, options }: StoredFeed): string {
  try {
    const whole: unknown = JSON.parse(options)
    return isGroup(whole) ? JSON.stringify(difference(whole, defaults[audience])) : options
  } catch {
    return options
  }
}

/** Returns what differs in `options` from `usual`, also within groups; null meant the default then. */
function difference(options: Options, usual: unknown): Options {
  const others = isGroup(usual) ? usual : {}
  return Object.fromEntries(
    Object.entries(options).flatMap(([key, value]) => {
      const other = others[key]
      if (value === null || value === other) return []
      if (Array.isArray(value) && JSON.stringify(value) === JSON.stringify(other)) return []
      if (!isGroup(value)) return [[key, value]]
      const own = difference(value, other)
      return Object.keys(own).length > 0 ? [[key, own]] : []
    }),
  )
}

function isGroup(value: unknown): value is Options {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function defaultsOf(own: boolean): Options {
  return {
    window: { pastDays: 90, futureDays: 365 },
    leaves: {
      show: true,
      statuses: own ? ['APPROVED', 'PENDING'] : ['APPROVED'],
      detail: own ? 'type' : 'absent',
    },
    // Schedules that were filled in are never derived again, so they always stay.
    shifts: { show: own, rotation: null, duringLeave: 'hide' },
    timesheets: {
      show: own,
      statuses: ['DRAFT', 'SUBMITTED', 'APPROVED', 'REJECTED'],
      as: 'period',
    },
    tasks: { show: own, projectIds: null, hideStatuses: ['DONE', 'COMPLETED', 'CANCELLED'] },
    invoices: { show: false, invoiceIds: [], hideStatuses: ['PAID', 'CANCELLED', 'VOID', 'DRAFT'] },
    reminderMinutes: null,
    selfService: own,
  }
}
