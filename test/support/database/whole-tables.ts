/* Which statements read a whole table, as the database itself says how it goes about them. */
import { DatabaseSync } from 'node:sqlite'

import pg from 'pg'

type WholeTables = (url: string, statements: readonly string[]) => Promise<readonly string[]>

/** What would read one, as SQLite says how it goes about it; a table of the values that a statement brings is none. */
async function ofSqlite(url: string, statements: readonly string[]): Promise<readonly string[]> {
  const database = new DatabaseSync(url.slice('file:'.length), { readOnly: true })
  const tables = database.prepare("select name from sqlite_master where type = 'table'").all()
  const names = new Set(tables.map(({ name }) => String(name)))
  const readsAll = (detail: string): boolean => names.has(/^SCAN (\w+)/.exec(detail)?.[1] ?? '')
  const found = statements.flatMap((text) => {
    const plan = database.prepare(`explain query plan ${text}`).all()
    const whole = plan.map(({ detail }) => String(detail)).filter(readsAll)
    return whole.map((detail) => `${detail}: ${text}`)
  })
  database.close()
  return found
}

/** What would read one, row by row or along an index, even where going row by row is made as dear as can be. */
async function ofPostgres(url: string, statements: readonly string[]): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('set enable_seqscan = off')
  const found: string[] = []
  for (const text of statements) {
    const explained = await client.query<{ readonly 'QUERY PLAN': readonly { Plan: PlanNode }[] }>(
      `explain (generic_plan, format json) ${text}`,
    )
    const nodes = explained.rows[0]?.['QUERY PLAN'].flatMap(({ Plan }) => nodesOf(Plan)) ?? []
    const whole = nodes.filter(isWhole).map((node) => `${node['Node Type']}: ${text}`)
    found.push(...whole)
  }
  await client.end()
  return found
}

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Index Cond'?: string
  readonly Plans?: readonly PlanNode[]
}

function nodesOf(node: PlanNode): readonly PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)]
}

function isWhole(node: PlanNode): boolean {
  const type = node['Node Type']
  return type === 'Seq Scan' || (/Index.* Scan/.test(type) && node['Index Cond'] === undefined)
}

/** What of these statements would read a whole table of the database at that address, by its kind. */
export const wholeTables: Readonly<Record<'sqlite' | 'postgres', WholeTables>> = {
  sqlite: ofSqlite,
  postgres: ofPostgres,
}
