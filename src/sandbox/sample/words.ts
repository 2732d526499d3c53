import type { Locale } from '../../domain/feed.ts'
import german from './words.de.json' with { type: 'json' }
import english from './words.en.json' with { type: 'json' }

/** Texts and names of the sample company in one language. */
export type SampleWords = typeof english

export type LeaveCause = keyof SampleWords['reasons']

export type LeaveType = keyof SampleWords['leaveTypes']

export const sampleWords: Readonly<Record<Locale, SampleWords>> = {
  en: listed(english),
  de: listed(german),
}

/** In the files, each line of a list has several words separated by commas. */
function listed(words: SampleWords): SampleWords {
  const parsed: SampleWords = JSON.parse(JSON.stringify(words), (_name, value: unknown) =>
    Array.isArray(value)
      ? value.flatMap((it: unknown) => (typeof it === 'string' ? it.split(', ') : [it]))
      : value,
  )
  return parsed
}
