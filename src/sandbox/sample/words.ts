import type { Locale } from '../../domain/feed.ts'
import german from './words.de.json' with { type: 'json' }
import english from './words.en.json' with { type: 'json' }

/** What people of the sample company say, and how they are called, in one language. */
export type SampleWords = typeof english

/** Why people take leave. */
export type LeaveCause = keyof SampleWords['reasons']

export type LeaveType = keyof SampleWords['leaveTypes']

export const sampleWords: Readonly<Record<Locale, SampleWords>> = {
  en: listed(english),
  de: listed(german),
}

/** In the files each line of a list holds several words between commas. */
function listed(words: SampleWords): SampleWords {
  const parsed: SampleWords = JSON.parse(JSON.stringify(words), (_name, value: unknown) =>
    Array.isArray(value)
      ? value.flatMap((it: unknown) => (typeof it === 'string' ? it.split(', ') : [it]))
      : value,
  )
  return parsed
}
