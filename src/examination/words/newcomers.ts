import { type Finding, findingOf } from '../../domain/examination.ts'
import type { Newcomer } from '../../domain/newcomer.ts'
import type { Trust } from '../../people/company-trust.ts'
import { listed } from './counted.ts'

/** Names the ids that have become somebody else's, as far as is known; none where there are none. */
export function sayNewcomers(newcomers: readonly Newcomer[]): readonly Finding[] {
  const held = newcomers.filter(({ confirmedAt }) => confirmedAt !== null)
  if (held.length === 0) return []
  const ids = listed(held.map(({ userId }) => userId))
  return [
    findingOf({
      check: 'another-person',
      level: 'wrong',
      seen: `The Read API answers with another name and another mail address than before for: ${ids}.`,
      means:
        'They are probably other people now. Calendars show what was known before for FEED_STALE_DAYS days and nothing new; after that those of one person end. Say who they are: person confirm --user ID --same (a new name and a new address), or --other.',
      set: null,
    }),
  ]
}

/** Says that a changed credential, or another way to the Read API, is not trusted; nothing where it is. */
export function sayTrust(trust: Trust): readonly Finding[] {
  if (trust.is === 'trusted') return []
  const isDoubted = trust.is === 'doubted'
  return [
    findingOf({
      check: 'another-company',
      level: 'wrong',
      seen: isDoubted
        ? seenOf(trust)
        : `${changed}, and nobody known has been recognised with it yet.`,
      means: isDoubted
        ? 'It is probably another company’s. Nothing is read with it, and calendars show what was known before, for FEED_STALE_DAYS days. Put the right credential in its place; if this one is right, say of one of these people: person confirm --user ID --same.'
        : 'Until then nothing else is read, so that no other company’s records are shown: calendars show what was known before. It is tried again every minute.',
      set: null,
    }),
  ]
}

const changed = 'The credential or the way to the Read API was changed'

function seenOf({ others, nobody }: Trust & { readonly is: 'doubted' }): string {
  return others.length === 0
    ? `${changed}, and the Read API shows none of the people with it who were known before: ${listed(nobody)}.`
    : `${changed}, and with it the Read API answers with another name and another mail address than before for: ${listed(others)}.`
}
