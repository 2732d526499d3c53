/* Prepared reads: the queries of every poll are compiled once. */
import { type Compilable, type KyselyPlugin, type RawBuilder, sql } from 'kysely'

import type { Driven } from './driver.ts'

/** Returns committed data; fails as queries do. */
export type PreparedRead<Values, Row> = (values: Values) => Promise<readonly Row[]>

class Given {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** A placeholder for a named value in a prepared query. */
export function given<T>(name: string): RawBuilder<T> {
  return sql<T>`${new Given(name)}`
}

/** Prepares a query with named values; rows pass through the plugins. */
export function prepareRead<Values extends object, Row>(
  query: Compilable<Row>,
  prepare: Driven['prepare'],
  plugins: readonly KyselyPlugin[],
): PreparedRead<Values, Row> {
  const { sql: text, parameters, queryId } = query.compile()
  const run = prepare(text)
  return async (values) => {
    const known = new Map<string, unknown>(Object.entries(values))
    const found = await run(parameters.map((it) => (it instanceof Given ? known.get(it.name) : it)))
    let result = { rows: rowsOf<Record<string, unknown>>(found) }
    for (const plugin of plugins) result = await plugin.transformResult({ queryId, result })
    return rowsOf<Row>(result.rows)
  }
}

export function rowsOf<Row>(rows: unknown): Row[] {
  if (areRows<Row>(rows)) return rows
  throw new Error('A database answers a query with rows.')
}

function areRows<Row>(rows: unknown): rows is Row[] {
  return Array.isArray(rows)
}
