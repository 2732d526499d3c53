/* SQLite files that have been damaged. */
import { closeSync, openSync, writeSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** Takes the entries out of an index of the bridge's database, which SQLite notices only when it looks for them. */
export function damageIndex(file: string): void {
  const database = new DatabaseSync(file)
  database.exec(`insert into feeds (id, company_id, user_ids, audience, name, timezone, locale,
      own_options, revision, leaves_shown, created_at)
    values ('feed_1', 'main', '["usr_ada"]', 'own', 'Ada', 'Europe/Berlin', 'en', '{}', 1, 1, 7)`)
  const page = database
    .prepare(
      `select rootpage, page_size from sqlite_schema, pragma_page_size where name = 'feeds_by_creation'`,
    )
    .get()
  database.exec('pragma journal_mode = delete')
  database.close()
  const opened = openSync(file, 'r+')
  // The number of entries is in the third and fourth byte of a page (https://sqlite.org/fileformat.html).
  const start = (Number(page?.['rootpage']) - 1) * Number(page?.['page_size'])
  writeSync(opened, Buffer.from([0, 0]), 0, 2, start + 3)
  closeSync(opened)
}
