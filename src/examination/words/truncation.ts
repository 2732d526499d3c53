import type { ListPagination } from '../../domain/connection.ts'
import { type Finding, findingOf } from '../../domain/examination.ts'
import { kindOf, type TruncationState, type TruncationVerdict } from '../verdicts/truncation.ts'
import { counted } from './counted.ts'
import { pagingToSet } from './paging.ts'
import type { Advise } from './setting-advice.ts'

const unread = 'Calendars lack records, or are not served: lists are not read to their end.'
const suspect =
  'Lists are likely cut, so that calendars may lack records, and nothing shows how to read on. Ask the vendor how lists are paged and set that (WORKFORCE_PAGINATION, or pagination in COMPANIES_FILE).'
const chance =
  'It may be chance, or the list is cut there. If calendars lack records, ask the vendor how lists are paged.'

/** Says whether lists come whole. */
export function sayTruncation(
  verdict: TruncationVerdict,
  pagination: ListPagination,
  advise: Advise,
): Finding {
  const { level, setting } = verdict
  const value = setting === undefined ? null : pagingToSet(pagination, kindOf(verdict), setting)
  const set = value && advise('pagination', value)
  const [seen, means] = [seenOf(verdict), meansOf(verdict)]
  return findingOf({ check: 'truncation', level, seen, means, set })
}

function seenOf({ state, path = '', count = 0 }: TruncationVerdict): string {
  const sentences: Readonly<Record<TruncationState, string>> = {
    cut: `The list of ${listWords(path)} stops after ${counted(count, 'record')}, and there are more on further pages.`,
    misread: `The list of ${listWords(path)} brings other records than its pages do.`,
    incomplete: `The list of ${listWords(path)} lacks ${counted(count, 'record')} that narrower questions bring.`,
    alike: `More than one list has exactly ${count} records.`,
    empty: 'There are no records to count.',
    paged: 'Pages bring every record.',
    whole: 'No list ends where it looks cut.',
    round: `The list of ${listWords(path)} has exactly ${counted(count, 'record')}, a number at which lists are often cut.`,
  }
  return sentences[state]
}

/** Tasks are listed by project. */
function listWords(path: string): string {
  const [, project] = /^projects\/([^/]*)\/tasks$/.exec(path) ?? []
  return project === undefined ? path : `tasks of ${decodeURIComponent(project)}`
}

function meansOf({ level, state }: TruncationVerdict): string {
  if (state === 'empty') return 'Whether lists are cut shows once there are some.'
  if (level !== 'wrong') return state === 'round' ? chance : 'Nothing suggests that a list is cut.'
  return state === 'cut' || state === 'misread' ? unread : suspect
}
