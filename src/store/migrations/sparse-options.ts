/* The step that made options sparse: until then each feed kept all of them, as the program knew them when it was made. */
import { sql } from 'kysely'

import type { Dialect } from '../../database/database.ts'
import type { SchemaQueries } from '../../database/migrate.ts'

const feedsAtOnce = 500

type Options = Readonly<Record<string, unknown>>

/** What each option was by itself when this step was written: later defaults change nothing here. */
function defaultsOf(audience: string): Options {
  const own = audience === 'own'
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

interface StoredFeed {
  readonly id: string
  readonly audience: string
  readonly options: string
}

/**
 * Keeps of every feed's options those that differ from the defaults, in a column of another name: a node of the
 * version before fails on it, and takes no sparse options for whole ones.
 */
export async function makeOptionsSparse(queries: SchemaQueries, dialect: Dialect): Promise<void> {
  const table = (): ReturnType<typeof queries.schema.alterTable> =>
    queries.schema.alterTable('feeds')
  await table()
    .addColumn('own_options', 'text', (column) => column.notNull().defaultTo('{}'))
    .execute()
  let feeds: readonly StoredFeed[] = []
  do {
    feeds = await feedsAfter(queries, feeds.at(-1)?.id ?? '')
    if (feeds.length > 0) await writeOwnOptions(queries, dialect, feeds)
  } while (feeds.length === feedsAtOnce)
  await table().dropColumn('options').execute()
}

async function feedsAfter(queries: SchemaQueries, id: string): Promise<readonly StoredFeed[]> {
  const { rows } = await sql<StoredFeed>`select id, audience, options from feeds where id > ${id}
    order by id limit ${feedsAtOnce}`.execute(queries)
  return rows
}

async function writeOwnOptions(
  queries: SchemaQueries,
  dialect: Dialect,
  feeds: readonly StoredFeed[],
): Promise<void> {
  const rows = feeds.map(({ id, audience, options }) => {
    const own = difference(JSON.parse(options), defaultsOf(audience))
    return sql`(${id}, ${JSON.stringify(own)})`
  })
  const collation = dialect === 'postgres' ? sql`collate "C"` : sql``
  await sql`update feeds set own_options = changed.column2 from (values ${sql.join(rows)}) as changed
    where feeds.id = changed.column1 ${collation}`.execute(queries)
}

/** What stands otherwise in `options` than in `defaults`, one level down, too; a null was a default then. */
function difference(options: Options, defaults: Options): Options {
  return Object.fromEntries(
    Object.entries(options).flatMap(([key, value]) => {
      if (JSON.stringify(value) === JSON.stringify(defaults[key]) || value === null) return []
      if (!isGroup(value)) return [[key, value]]
      const own = differenceOfGroup(value, defaults[key])
      return Object.keys(own).length > 0 ? [[key, own]] : []
    }),
  )
}

function differenceOfGroup(group: Options, usual: unknown): Options {
  const defaults = new Map(isGroup(usual) ? Object.entries(usual) : [])
  return Object.fromEntries(
    Object.entries(group).filter(
      ([key, value]) =>
        value !== null && JSON.stringify(value) !== JSON.stringify(defaults.get(key)),
    ),
  )
}

function isGroup(value: unknown): value is Options {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
