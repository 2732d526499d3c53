import type { Kysely } from 'kysely'

import type { Database } from '../../database/database.ts'
import type {
  LookRound,
  LookRoundStore,
  ReadingPlan,
  SightingProblem,
} from '../../domain/person.ts'
import { clockSkewMs, type Instant } from '../../domain/world.ts'
import { problemsColumn } from '../json-columns.ts'
import { changeRow, readRow } from '../rows.ts'
import type { LookRoundRow, StoreTables } from '../tables.ts'

const never: LookRound = { lookedAt: null, problems: [] }
const unborn = { due_at: 0, read_at: 0, called_at: 0 } as const

type Turns = Pick<LookRoundRow, 'due_at' | 'read_at' | 'called_at'>

/** When each company's people were looked for, and whose turn it is: one row for each company. */
export class SqlLookRoundStore implements LookRoundStore {
  readonly #queries: Kysely<StoreTables>

  constructor({ queries }: Database<StoreTables>) {
    this.#queries = queries
  }

  async findRound(companyId: string): Promise<LookRound> {
    const row = await this.#queries
      .selectFrom('look_rounds')
      .select(['looked_at', 'problems'])
      .where('company_id', '=', companyId)
      .executeTakeFirst()
    if (!row) return never
    const problems = readRow(`whom the company ${companyId} has`, () =>
      problemsColumn.parse(JSON.parse(row.problems)),
    )
    return { lookedAt: row.looked_at, problems }
  }

  async takeRound(companyId: string, { now, againAt, latest }: ReadingPlan): Promise<boolean> {
    const { due_at: dueAt } = await this.#row(companyId)
    if (dueAt > now && dueAt <= latest) return false
    const round = this.#round(companyId).where('due_at', '=', dueAt)
    return changeRow(round.set({ due_at: againAt }))
  }

  async endRound(
    companyId: string,
    problems: readonly SightingProblem[],
    { now, dueAt }: { readonly now: Instant; readonly dueAt: Instant },
  ): Promise<void> {
    await this.#row(companyId)
    await this.#round(companyId)
      .set({ looked_at: now, due_at: dueAt, problems: JSON.stringify(problems) })
      .execute()
  }

  takeReadingTurn(companyId: string, now: Instant, everyMs: number): Promise<boolean> {
    return this.#takeTurn('read_at', companyId, now, everyMs)
  }

  takeRollCallTurn(companyId: string, now: Instant, everyMs: number): Promise<boolean> {
    return this.#takeTurn('called_at', companyId, now, everyMs)
  }

  async #takeTurn(
    column: 'read_at' | 'called_at',
    companyId: string,
    now: Instant,
    everyMs: number,
  ): Promise<boolean> {
    const { [column]: lastAt } = await this.#row(companyId)
    if (lastAt > now - everyMs && lastAt <= now + clockSkewMs) return false
    const round = this.#round(companyId).where(column, '=', lastAt)
    return changeRow(round.set({ [column]: now }))
  }

  #round(companyId: string) {
    return this.#queries.updateTable('look_rounds').where('company_id', '=', companyId)
  }

  /** Which is there from the first time on that anybody asks. */
  async #row(companyId: string): Promise<Turns> {
    const row = await this.#queries
      .selectFrom('look_rounds')
      .select(['due_at', 'read_at', 'called_at'])
      .where('company_id', '=', companyId)
      .executeTakeFirst()
    return row ?? this.#addRow(companyId)
  }

  async #addRow(companyId: string): Promise<Turns> {
    await this.#queries
      .insertInto('look_rounds')
      .values({ company_id: companyId, looked_at: null, problems: '[]', ...unborn })
      .onConflict((known) => known.doNothing())
      .execute()
    return unborn
  }
}
