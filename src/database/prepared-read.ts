/* Reads whose text is written once, and only run from then on: what every poll asks for is not composed anew each time. */
import { type Compilable, type RawBuilder, sql } from 'kysely'

/** Runs a text that is prepared once with these values, and gives its rows as the database has them. */
export type RunText = (text: string) => (values: readonly unknown[]) => Promise<unknown>

/** Gives what the database holds, of what has been committed; fails as queries do. */
export type PreparedRead<Values, Row> = (values: Values) => Promise<readonly Row[]>

/** A value that is given each time that the read is run. */
class Given {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** Stands in a query that is to be prepared for the value of that name. */
export function given<T>(name: string): RawBuilder<T> {
  return sql<T>`${new Given(name)}`
}

/** The query, ready to be run with the values that it names. */
export function prepareRead<Values extends object, Row>(
  query: Compilable<Row>,
  runText: RunText,
): PreparedRead<Values, Row> {
  const { sql: text, parameters } = query.compile()
  const run = runText(text)
  return async (values) => {
    const known = new Map<string, unknown>(Object.entries(values))
    const rows = await run(parameters.map((it) => (it instanceof Given ? known.get(it.name) : it)))
    if (!areRowsOf(query, rows)) throw new Error('A database answers a read with rows.')
    return rows
  }
}

/** What they hold is what the query selects. */
function areRowsOf<Row>(_query: Compilable<Row>, rows: unknown): rows is readonly Row[] {
  return Array.isArray(rows)
}
