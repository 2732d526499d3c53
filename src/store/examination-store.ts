import type { Database } from '../database/database.ts'
import type { KeptExamination, ExaminationStore } from '../domain/examination.ts'
import { findingsColumn, readRow } from './rows.ts'
import type { StoreTables } from './tables.ts'

/** The last examination of each connection, its findings as JSON. */
export class SqlExaminationStore implements ExaminationStore {
  readonly #queries: Database<StoreTables>['queries']

  constructor({ queries }: Database<StoreTables>) {
    this.#queries = queries
  }

  async findExamination(connectionId: string): Promise<KeptExamination | undefined> {
    const row = await this.#queries
      .selectFrom('examinations')
      .selectAll()
      .where('connection_id', '=', connectionId)
      .executeTakeFirst()
    return (
      row &&
      readRow(`the examination of the company ${row.company_id}`, () => {
        const findings = findingsColumn.parse(JSON.parse(row.findings))
        const examination = { companyId: row.company_id, ok: row.ok === 1, findings }
        return { examination, examinedAt: row.examined_at }
      })
    )
  }

  async keepExamination(
    connectionId: string,
    { examination: { companyId, ok, findings }, examinedAt }: KeptExamination,
  ): Promise<void> {
    const row = {
      company_id: companyId,
      ok: ok ? 1 : 0,
      findings: JSON.stringify(findings),
      examined_at: examinedAt,
    }
    await this.#queries
      .insertInto('examinations')
      .values({ connection_id: connectionId, ...row })
      .onConflict((conflict) => conflict.column('connection_id').doUpdateSet(row))
      .execute()
  }
}
