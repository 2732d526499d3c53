/* A PostgreSQL database as the statements that make it once more: what `pg_dump` does, as far as the bridge's tables go. */
import pg from 'pg'

interface Column {
  readonly name: string
  readonly definition: string
  /** The statement that says how its values are stored, where that is not as usual. */
  readonly storage: string | null
}

const tablesQuery = `select oid, relname as name from pg_class
  where relkind = 'r' and relnamespace = 'public'::regnamespace order by relname collate "C"`

const columnsQuery = `select attname as name, concat_ws(' ', attname, format_type(atttypid, atttypmod),
    case when collname not in ('default') then format('COLLATE %I', collname) end,
    case when attnotnull then 'NOT NULL' end, 'DEFAULT ' || pg_get_expr(adbin, adrelid)) as definition,
    case when attstorage <> typstorage then format('ALTER TABLE %s ALTER COLUMN %I SET STORAGE %s;', attrelid::regclass,
      attname, case attstorage when 'e' then 'EXTERNAL' when 'm' then 'MAIN' when 'p' then 'PLAIN' else 'EXTENDED' end)
    end as storage
  from pg_attribute join pg_type on pg_type.oid = atttypid left join pg_collation on pg_collation.oid = attcollation
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
  where attrelid = $1 and attnum > 0 and not attisdropped order by attnum`

const constraintsQuery = `select conrelid::regclass as table, format('CONSTRAINT %I %s', conname, pg_get_constraintdef(oid)) as text
  from pg_constraint where conrelid = any($1) and contype = any($2) order by conrelid::regclass::text, conname`

const indexesQuery = `select pg_get_indexdef(indexrelid) || ';' as text from pg_index
  where indrelid = any($1) and not exists (select from pg_constraint where conindid = indexrelid and contype <> 'f')
  order by indrelid::regclass::text, indexrelid::regclass::text`

/** Tables, rows, then indexes and foreign keys, always in the same order. */
export async function dumpPostgres(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const ask = async <T>(query: string, ...values: unknown[]): Promise<T[]> =>
    (await client.query(query, values)).rows
  const tables = await ask<{ oid: number; name: string }>(tablesQuery)
  const made: string[] = []
  const filled: string[] = []
  for (const { oid, name } of tables) {
    const columns = await ask<Column>(columnsQuery, oid)
    const keys = await ask<{ text: string }>(constraintsQuery, [oid], ['p', 'u', 'c'])
    const parts = [...columns.map(({ definition }) => definition), ...keys.map(({ text }) => text)]
    made.push(`CREATE TABLE ${name} (\n  ${parts.join(',\n  ')}\n);`)
    made.push(...columns.flatMap(({ storage }) => storage ?? []))
    const names = columns.map((column) => column.name)
    const values = names.map((column) => `quote_nullable(${column}::text)`).join(", ', ', ")
    const rows = await ask<{ row: string }>(
      `select concat('  (', ${values}, ')') as row from ${name}`,
    )
    if (rows.length === 0) continue
    const lines = rows.map(({ row }) => row).toSorted()
    filled.push(`INSERT INTO ${name} (${names.join(', ')}) VALUES\n${lines.join(',\n')};`)
  }
  const all = tables.map(({ oid }) => oid)
  const indexes = await ask<{ text: string }>(indexesQuery, all)
  const foreign = await ask<{ table: string; text: string }>(constraintsQuery, all, ['f'])
  await client.end()
  const tied = foreign.map(({ table, text }) => `ALTER TABLE ${table} ADD ${text};`)
  const statements = [...made, ...filled, ...indexes.map(({ text }) => text), ...tied]
  return `${statements.join('\n')}\n`
}
