import { isDeepStrictEqual } from 'node:util'

import { readOptions } from '../../domain/feed-options.ts'
import type { FeedDraft } from '../feed-drafts.ts'
import type { FeedView } from '../feed-view.ts'
import { patchOptions } from '../options/patch-options.ts'

/** The columns in which a row says anything else than the feed that exists; what it leaves out differs in nothing. */
function rowDifferences({ wanted }: FeedDraft, kept: FeedView): readonly string[] {
  const { options, scheduleIds } = optionDifferences(wanted.options, kept)
  const differs = {
    options,
    locale: isOther(wanted.locale, kept.locale),
    timezone: isOther(wanted.timezone, kept.timezone),
    scheduleIds,
    audience: isOther(wanted.audience, kept.audience),
  }
  return Object.entries(differs).flatMap(([column, isSo]) => (isSo ? [column] : []))
}

function isOther(wanted: string | undefined, kept: string): boolean {
  return wanted !== undefined && wanted !== kept
}

/** The row's options are none of the feed's if merging them over those changes what holds. */
function optionDifferences(
  wanted: FeedDraft['wanted']['options'],
  { audience, options, ownOptions }: FeedView,
): { readonly options: boolean; readonly scheduleIds: boolean } {
  if (wanted === undefined) return { options: false, scheduleIds: false }
  const asked = readOptions(audience, patchOptions(patchOptions({}, ownOptions), wanted))
  const { scheduleIds } = asked.shifts
  const comparable = {
    ...asked,
    shifts: { ...asked.shifts, scheduleIds: options.shifts.scheduleIds },
  }
  return {
    options: !isDeepStrictEqual(comparable, options),
    scheduleIds:
      scheduleIds !== null && !isDeepStrictEqual(scheduleIds, options.shifts.scheduleIds),
  }
}

/** What to say of a row whose feed exists; null where it says nothing else. */
export function differenceNote(draft: FeedDraft, kept: FeedView): string | null {
  const columns = rowDifferences(draft, kept)
  if (columns.length === 0) return null
  const never = columns.includes('audience') ? ' (the audience never changes)' : ''
  return `differs in ${columns.join(', ')}; use feed update${never}`
}
