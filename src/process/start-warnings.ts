import type { FeedStore } from '../domain/feed.ts'
import type { Log } from '../domain/world.ts'
import type { Settings } from '../settings/read-settings.ts'

/** Tells, in one line, which settings are set and mean nothing, since companies stand in a file. */
export function warnOfReplaced({ replaced }: Settings, log: Log): void {
  if (replaced.length === 0) return
  const mend = 'COMPANIES_FILE replaces them: remove them, or set them for a company in that file'
  log.warn({ settings: replaced, mend }, 'settings_ignored')
}

/** Tells, in one line, of which companies there are open feeds and no settings, so that their addresses answer 503. */
export async function warnOfFeedsWithoutCompany(
  feeds: Pick<FeedStore, 'countOpenFeeds'>,
  companies: ReadonlyMap<string, unknown>,
  log: Log,
): Promise<void> {
  const counts = [...(await feeds.countOpenFeeds())].filter(([id]) => !companies.has(id))
  if (counts.length === 0) return
  const mend =
    'set the company up again under the same id, or end its feeds: feed list --company ID --state open --csv > feeds.csv, then feed revoke --from feeds.csv'
  log.warn({ feeds: Object.fromEntries(counts), answers: 503, mend }, 'feeds_without_company')
}
