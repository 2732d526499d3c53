/* The step that made options sparse: until then each feed kept all of them, as the program knew them when it was made. */
import { sql } from 'kysely'

import type { Dialect } from '../../database/database.ts'
import type { SchemaQueries } from '../../database/migrate.ts'

const feedsAtOnce = 500

type Options = Readonly<Record<string, unknown>>

/** What each option was by itself when this step was written: later defaults change nothing here. */
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
 * Keeps of every feed's options those that differ from the defaults, in a column of another name: a node of the
 * version before fails on it, and takes no sparse options for whole ones.
 */
export async function makeOptionsSparse(queries: SchemaQueries, dialect: Dialect): Promise<void> {
  let feeds: readonly StoredFeed[] = []
  do {
    feeds = await feedsAfter(queries, feeds.at(-1))
    if (feeds.length > 0) await writeOwnOptions(queries, dialect, feeds)
  } while (feeds.length === feedsAtOnce)
  const table = queries.schema.alterTable('feeds')
  await table.renameColumn('options', 'own_options').execute()
}

/** In order of creation, in which they lie on the disk as well: in any other each would touch a page of its own. */
async function feedsAfter(
  queries: SchemaQueries,
  last: Pick<StoredFeed, 'created_at' | 'id'> = { created_at: -1, id: '' },
): Promise<readonly StoredFeed[]> {
  const { rows } = await sql<StoredFeed>`select id, created_at, audience, options from feeds
    where (created_at, id) > (${last.created_at}, ${last.id})
    order by created_at, id limit ${feedsAtOnce}`.execute(queries)
  return rows
}

async function writeOwnOptions(
  queries: SchemaQueries,
  dialect: Dialect,
  feeds: readonly StoredFeed[],
): Promise<void> {
  const json = JSON.stringify(
    Object.fromEntries(feeds.map((feed) => [feed.id, ownOptionsOf(feed)])),
  )
  const rows = dialect === 'postgres' ? sql`json_each_text(${json}::json)` : sql`json_each(${json})`
  await sql`update feeds set options = changed.value from ${rows} as changed
    where feeds.id = changed.key ${dialect === 'postgres' ? sql`collate "C"` : sql``}`.execute(
    queries,
  )
}

/** What cannot be read stays as it is: who reads that feed is told so, and all others go on. */
function ownOptionsOf({ audience, options }: StoredFeed): string {
  const whole = parse(options)
  return isGroup(whole) ? JSON.stringify(difference(whole, defaults[audience])) : options
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** What stands otherwise in `options` than in `usual`, in its groups as well; a null was a default then. */
function difference(options: Options, usual: unknown): Options {
  const others = isGroup(usual) ? usual : {}
  return Object.fromEntries(
    Object.entries(options).flatMap(([key, value]) => {
      if (value === null || isSame(value, others[key])) return []
      if (!isGroup(value)) return [[key, value]]
      const own = difference(value, others[key])
      return Object.keys(own).length > 0 ? [[key, own]] : []
    }),
  )
}

function isSame(value: unknown, usual: unknown): boolean {
  if (!Array.isArray(value)) return value === usual
  return JSON.stringify(value) === JSON.stringify(usual)
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
    // Schedules once filled in are never derived again: they always stay.
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
