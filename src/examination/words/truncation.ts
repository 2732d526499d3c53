import type { ListPagination } from '../../domain/connection.ts'
import type { Finding } from '../../domain/examination.ts'
import { kindOf, type TruncationState, type TruncationVerdict } from '../verdicts/truncation.ts'
import { counted } from './counted.ts'
import { pagingToSet } from './paging.ts'
import type { Advise } from './setting-advice.ts'

const unread = 'Calendars lack records, or are not served: lists are not read to their end.'
const suspect =
  'Lists are cut, and calendars may lack records; no usual way to a second page works: ask the vendor how lists are paged and set WORKFORCE_PAGINATION.'
const chance =
  'It may be chance, or the list is cut there: if calendars lack records, ask the vendor how lists are paged.'

/** Says whether lists come whole. */
export function sayTruncation(
  verdict: TruncationVerdict,
  pagination: ListPagination,
  advise: Advise,
): Finding {
  const { ok, setting } = verdict
  const value = setting === undefined ? null : pagingToSet(pagination, kindOf(verdict), setting)
  const set = value && advise('pagination', value)
  return { check: 'truncation', ok, seen: seenOf(verdict), means: meansOf(verdict), set }
}

function seenOf({ state, path = '', count = 0 }: TruncationVerdict): string {
  const sentences: Readonly<Record<TruncationState, string>> = {
    cut: `List ${path} stops after ${counted(count, 'record')}, and there are more on further pages.`,
    misread: `List ${path} brings other records than its pages do.`,
    incomplete: `List ${path} lacks ${counted(count, 'leave')} that come for single users.`,
    alike: `More than one list has exactly ${count} records.`,
    empty: 'There are no records to count.',
    paged: 'Pages bring every record.',
    whole: 'No number of records looks like a limit.',
    round: `One list has exactly ${counted(count, 'record')}, and no usual way to a second page brings more.`,
  }
  return sentences[state]
}

function meansOf({ ok, state }: TruncationVerdict): string {
  if (ok) return state === 'round' ? chance : 'Lists are read whole.'
  return state === 'cut' || state === 'misread' ? unread : suspect
}
