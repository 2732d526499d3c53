import { collectionOf, type CopyHead } from '../../domain/copy.ts'
import { type Finding, findingOf } from '../../domain/examination.ts'
import { counted, listed } from './counted.ts'

/** Says what has become less than can be believed yet; nothing where all is believed. */
export function sayDoubts(doubted: readonly CopyHead[]): readonly Finding[] {
  if (doubted.length === 0) return []
  const isOfMany = doubted.some(({ doubt }) => doubt?.ofMany)
  const names = doubted.map(({ key }) => {
    const { kind, subject } = collectionOf(key)
    return subject === '' ? kind : `${kind} of ${subject}`
  })
  const seen = `${counted(doubted.length, 'list')} lost much at once: ${listed(names)}.`
  const means = isOfMany
    ? 'So many emptied together that it is more likely a fault of the Read API: calendars show what was read before for a day.'
    : 'Calendars show what was read before until further readings say the same.'
  const level = isOfMany ? 'wrong' : 'note'
  return [findingOf({ check: 'shrinking', level, seen, means, set: null })]
}
