/* Any number of texts as one value of a query that is prepared: a JSON array. */
import { type RawBuilder, sql, type SqlBool } from 'kysely'

import type { Dialect } from '../database/database.ts'
import { given } from '../database/prepared-read.ts'

/** Whether the column is one of the texts that are given by that name. */
export function isAmong(dialect: Dialect, column: string, name: string): RawBuilder<SqlBool> {
  return isAmongTexts(dialect, column, given(name))
}

/** Whether the column is one of the texts of that JSON array. */
export function isAmongTexts(
  dialect: Dialect,
  column: string,
  texts: RawBuilder<string>,
): RawBuilder<SqlBool> {
  const of = sql.ref(column)
  return dialect === 'sqlite'
    ? sql`${of} in (select value from json_each(${texts}))`
    : sql`${of} = any(array(select jsonb_array_elements_text(cast(${texts} as jsonb))))`
}

/** Whether the text is part of the column's, `%` and `_` like any other character. */
export function holds(column: string, text: string): RawBuilder<SqlBool> {
  const pattern = `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  return sql<SqlBool>`${sql.ref(column)} like ${pattern} escape '\\'`
}
