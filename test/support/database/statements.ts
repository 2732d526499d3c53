/* What is asked of databases, counted where it leaves the program: every statement of `node:sqlite` and of `pg`. */
import { StatementSync } from 'node:sqlite'

import pg from 'pg'

export interface Asked {
  /** All but those that only begin and end transactions, in order. */
  readonly statements: readonly string[]
  /** Transactions that were committed, and what was written outside of any. */
  readonly commits: number
}

type Method = (this: never, ...values: never[]) => unknown

/** What the work asks of databases of this process, but for what goes on beside it. */
export async function askedBy(
  work: () => Promise<unknown>,
  isBeside: (text: string) => boolean = () => false,
): Promise<Asked> {
  const all: string[] = []
  const ends = [
    ...(['all', 'run', 'get', 'iterate'] as const).map((name) =>
      watch(StatementSync.prototype, name, (statement: StatementSync) => {
        all.push(statement.sourceSQL)
      }),
    ),
    watch(pg.Client.prototype, 'query', (_client: unknown, query: string | { text: string }) => {
      all.push(typeof query === 'string' ? query : query.text)
    }),
  ]
  try {
    await work()
  } finally {
    for (const end of ends) end()
  }
  const texts = all.filter((text) => !isBeside(text))
  return { statements: texts.filter((text) => !isBoundary(text)), commits: commitsIn(texts) }
}

function watch<Name extends string>(
  prototype: { [name in Name]: unknown },
  name: Name,
  note: (...values: never[]) => void,
): () => void {
  const method = prototype[name] as Method
  prototype[name] = function (this: never, ...values: never[]) {
    note(this, ...values)
    return method.apply(this, values)
  }
  return () => {
    prototype[name] = method
  }
}

function isBoundary(text: string): boolean {
  return /^\s*(begin|commit|rollback|start transaction|savepoint|release)\b/i.test(text)
}

/** Transactions in which something was asked, and what was written outside of any. */
function commitsIn(texts: readonly string[]): number {
  let [commits, isWithin, isEmpty] = [0, false, true]
  for (const text of texts) {
    if (/^\s*(begin|start transaction)\b/i.test(text)) [isWithin, isEmpty] = [true, true]
    if (/^\s*rollback\b/i.test(text)) isWithin = false
    if (!isBoundary(text)) isEmpty = false
    const isWritten = /\b(insert into|update \S+ set|delete from)\b/i.test(text) && !isWithin
    const isCommit = /^\s*commit\b/i.test(text) && !isEmpty
    if (isWritten || isCommit) [commits, isWithin] = [commits + 1, false]
  }
  return commits
}
