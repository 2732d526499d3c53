import type { ReadRows } from '../database/check-copy.ts'
import type { EndedLink, UndoneByRestore } from '../domain/undone-by-restore.ts'
import { erasureMark } from './people.ts'

/**
 * A backup does not know what links published after it, so accounts with sync tokens from then would miss removals. Without
 * a history these tokens are refused, and each account fetches its whole calendar once.
 */
export function forgetSyncHistories(run: ReadRows): void {
  const columns = run("select name from pragma_table_info('ledgers')")
  if (columns.some(({ name }) => name === 'history')) run('update ledgers set history = null')
}

/** Compares what the replaced database and the restored one say; both have the tables of this program. */
export function undoneByRestore(replaced: ReadRows, restored: ReadRows): UndoneByRestore {
  const feeds = endedFeeds(replaced, restored)
  const ended = new Set(feeds.map(({ feedId }) => feedId))
  const links = endedLinks(replaced, restored).filter(({ feedId }) => !ended.has(feedId))
  const [rotated = [], others = []] = [true, false].map((isRotated) =>
    links
      .filter((link) => link.isRotated === isRotated)
      .map(({ feedId, label }) => ({ feedId, label })),
  )
  const tokens = revokedTokens(replaced, restored)
  return { feeds, links: others, rotated, tokens, erased: erasedPeople(replaced, restored) }
}

function endedFeeds(replaced: ReadRows, restored: ReadRows): UndoneByRestore['feeds'] {
  const open = new Set(
    restored('select id from feeds where revoked_at is null').map(({ id }) => id),
  )
  return replaced('select id, purged_at from feeds where revoked_at is not null order by id')
    .filter(({ id }) => open.has(id))
    .map((feed) => ({ feedId: String(feed['id']), purged: feed['purged_at'] !== null }))
}

/** The end of a link that awaits a poll is not certain. */
const linkRows = `select hex(token_hash) as hash, feed_id, label,
  case awaits_poll when 1 then null else ends_at end as ends_at from links order by feed_id, label`

function endedLinks(
  replaced: ReadRows,
  restored: ReadRows,
): readonly (EndedLink & { readonly isRotated: boolean })[] {
  const after = restored(linkRows)
  const known = new Set(after.map(({ hash }) => hash))
  const before = replaced(linkRows)
  const ends = new Map(before.map((link) => [link['hash'], link['ends_at']]))
  const successors = new Set(
    before
      .filter((link) => !known.has(link['hash']) && link['ends_at'] === null)
      .map((link) => JSON.stringify([link['feed_id'], link['label']])),
  )
  return after
    .filter((link) => {
      const end = ends.get(link['hash']) ?? null
      return end !== null && (link['ends_at'] === null || Number(end) < Number(link['ends_at']))
    })
    .map((link) => {
      const name = [link['feed_id'], link['label']]
      const [feedId = '', label = ''] = name.map(String)
      return { feedId, label, isRotated: successors.has(JSON.stringify(name)) }
    })
}

function revokedTokens(replaced: ReadRows, restored: ReadRows): UndoneByRestore['tokens'] {
  const rows = 'select hex(token_hash) as hash, name, company_id from tokens order by name'
  const known = new Set(replaced(rows).map(({ hash }) => hash))
  return restored(rows)
    .filter(({ hash }) => !known.has(hash))
    .map(({ name, company_id: company }) => ({
      name: String(name),
      companyId: company === null ? null : String(company),
    }))
}

/** An erasure leaves only a mark, which is made of an id that the backup still has. */
function erasedPeople(replaced: ReadRows, restored: ReadRows): UndoneByRestore['erased'] {
  const marks = 'select mark from erased_people'
  const before = new Set(restored(marks).map(({ mark }) => mark))
  const since = new Set(replaced(marks).map(({ mark }) => mark)).difference(before)
  return restored(`select company_id, user_id from people
      union select company_id, user_id from feed_users join feeds on feeds.id = feed_id
      union select company_id, user_id from departures order by company_id, user_id`)
    .map((row) => ({ companyId: String(row['company_id']), userId: String(row['user_id']) }))
    .filter(({ companyId, userId }) => since.has(erasureMark(companyId, userId)))
}
