/* What a database has come to hold of people whose calendars nobody asks for now: as much as of all others, of random bytes. */
import { DatabaseSync } from 'node:sqlite'

import { foldedId } from '../../../src/domain/person.ts'
import { reversedId } from '../../../src/store/people.ts'
import { personId } from '../company/person-ids.ts'

/** Of a calendar with the shifts of a year. */
export const ledgerBytes = 4000
export const recordsBytes = { leaves: 330, timesheets: 260, user: 110 } as const
export const leavesEach = 12
export const dayMs = 86_400_000

/** Which people of which company. */
export interface Residents {
  readonly companyId: string
  readonly connectionId: string
  readonly from: number
  /** The first number that nobody has. */
  readonly to: number
}

/** Writes what is kept of them, each of whom has a feed already, into that file, which nobody else has open; their companies are as they are any day. */
export function moveIn(file: string, all: readonly Residents[], now: number): void {
  const database = new DatabaseSync(file)
  database.function('person', (number) => personId(Number(number)))
  database.function('folded', (id) => foldedId(String(id)))
  database.function('reversed', (id) => reversedId(String(id)))
  database.exec('pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -500000')
  // In the order of the keys of all tables.
  const sorted = all.toSorted((one, other) => (one.connectionId < other.connectionId ? -1 : 1))
  for (const residents of sorted) database.exec(statements(residents, now))
  database.exec('pragma journal_mode = wal')
  database.close()
}

/** Writes what the links of those feeds were served with last. */
export function publishAll(file: string, feedsAfter: string): void {
  const database = new DatabaseSync(file)
  database.exec('pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -500000')
  database.exec(`begin;
    update links set fingerprint = hex(randomblob(13)), etag = hex(randomblob(15)), last_modified = created_at
      where feed_id > '${feedsAfter}';
    insert into ledgers (token_hash, version, entries)
      select token_hash, 1, randomblob(${ledgerBytes}) from links where feed_id > '${feedsAfter}';
    update feeds set polled = 1, leaves_shown = 1;
    commit; pragma journal_mode = wal`)
  database.close()
}

function statements({ companyId, connectionId, from, to }: Residents, now: number): string {
  const numbers = `with recursive numbers (n) as (select ${from} union all select n + 1 from numbers where n < ${to - 1})`
  const copies = Object.entries(recordsBytes).map(([kind, bytes]) => {
    const key = `'${connectionId}', '${kind}:' || person(n)`
    const fetchedAt = now - 3_600_000
    return `${numbers} insert into copies (connection_id, key, content_hash, begun_at, fetched_at, with_reasons)
        select ${key}, hex(randomblob(21)), ${fetchedAt}, ${fetchedAt}, 0 from numbers;
      ${numbers} insert into copy_records select ${key}, randomblob(${bytes}) from numbers;`
  })
  return `begin;
    ${copies.join('\n')}
    ${numbers}, leaves (i) as (select 0 union all select i + 1 from leaves where i < ${leavesEach - 1})
      insert into leave_owners (connection_id, leave_id, user_id, is_owner, since)
        select '${connectionId}', 'lv_${companyId}_' || n || '_' || i, person(n), 1, ${now - dayMs}
        from numbers cross join leaves;
    ${numbers} insert into people
        (company_id, user_id, folded_id, reversed_id, first_name, last_name, state, seen_at, read_at, due_at)
      select '${companyId}', person(n), folded(person(n)), reversed(person(n)), 'First', 'Last', 'active',
        ${now}, ${now}, ${now + dayMs} from numbers;
    insert into look_rounds (company_id, looked_at, due_at, problems, read_at)
      values ('${companyId}', ${now}, ${now + dayMs}, '[]', 0);
    insert into proofs (connection_id, state, since, battery_at)
      values ('${connectionId}', 'proven', ${now - dayMs}, ${now});
    commit`
}
