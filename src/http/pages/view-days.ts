import type { CalendarEvent } from '../../domain/calendar-event.ts'
import type { FirstDays } from '../../publishing/first-days.ts'
import { dayHeading, entryTime } from './day-texts.ts'
import type { PreviewWords } from './words/words.ts'

/** The first days as a page shows them of itself: in the words and the order in which its script does. */
export interface DaysView {
  readonly days: readonly DayView[]
  /** What is said where there is nothing; null where there is something. */
  readonly outcome: string | null
  readonly isCut: boolean
}

interface DayView {
  readonly heading: string
  readonly entries: readonly EntryView[]
}

interface EntryView extends Pick<CalendarEvent, 'uid' | 'kind' | 'title'> {
  readonly time: string
}

/** In that language: a tag of RFC 5646. */
export function viewDays(firstDays: FirstDays, language: string, words: PreviewWords): DaysView {
  const today = Date.parse(firstDays.today)
  const days = [...Map.groupBy(firstDays.entries, ({ day }) => day)].map(([day, entries]) => ({
    heading: dayHeading(language, day, today, words.today),
    entries: entries.map((entry) => {
      const { uid, kind, title } = entry.event
      return { uid, kind, title, time: entryTime(language, entry, today, words.allDay) }
    }),
  }))
  return { days, outcome: outcomeOf(firstDays, words), isCut: firstDays.isCut }
}

function outcomeOf({ entries, hasAny, hasAhead }: FirstDays, words: PreviewWords): string | null {
  if (entries.length > 0) return null
  if (!hasAny) return words.empty
  return hasAhead ? words.emptyWeek : words.emptyAhead
}
