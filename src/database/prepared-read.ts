/* Reads whose text is written once, and only run from then on: what every poll asks for is not composed again each time. */
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

/** Gives what is found of one, by reading in one go what has been asked for of all in the same turn of the event loop. */
export function readTogether<Asked, Found>(
  readAll: (asked: readonly Asked[]) => Promise<readonly Found[]>,
): (asked: Asked) => Promise<Found> {
  let waiting: Waiting<Asked, Found>[] = []
  const readThem = async (): Promise<void> => {
    const all = waiting
    waiting = []
    try {
      const found = await readAll(all.map(({ asked }) => asked))
      found.forEach((one, at) => all[at]?.resolve(one))
    } catch (error) {
      for (const { reject } of all) reject(error)
    }
  }
  return (asked) =>
    new Promise((resolve, reject) => {
      const count = waiting.push({ asked, resolve, reject })
      if (count === 1) setImmediate(() => void readThem())
    })
}

interface Waiting<Asked, Found> {
  readonly asked: Asked
  readonly resolve: (found: Found) => void
  readonly reject: (error: unknown) => void
}

/** What they hold is what the query selects. */
function areRowsOf<Row>(_query: Compilable<Row>, rows: unknown): rows is readonly Row[] {
  return Array.isArray(rows)
}
