import { expect, it } from 'vitest'

import { multistatus } from '../../src/dav/answers.ts'
import { Hrefs } from '../../src/dav/places.ts'
import type { Question } from '../../src/dav/questions.ts'

const link = 'AAAAAAAA'
const known = {
  account: {
    hrefs: new Hrefs(''),
    feedId: 'feed_a',
    name: 'Ada',
    timezone: 'UTC',
    color: '#000000',
  },
  place: { kind: 'calendar', feedId: 'feed_a' },
  served: { link, at: 1000 },
} as const
const asked = { wanted: { kind: 'some', names: [] }, isMinimal: false } as const
const later: Question = { ...asked, kind: 'sync', since: { link, at: 5000 }, limit: Infinity }

it.for([
  [true, 'forbidden'],
  [false, 'unavailable'],
] as const)(
  'a token later than what is served, confirmed by the store: %s, is %s',
  ([isConfirmed, code]) => {
    const objects = { objects: [], removed: [] }
    expect(() => multistatus(later, { ...known, objects, isConfirmed })).toThrow(
      expect.objectContaining({ code }),
    )
  },
)

it.for<Question>([
  later,
  { ...asked, kind: 'query', matches: () => true },
  { ...asked, kind: 'multiget', hrefs: ['/dav/calendars/feed_a/00000000000000.ics'] },
  { ...asked, kind: 'propfind', depth: 1 },
])('no answer says that a calendar is empty before its events are read: $kind', (question) => {
  expect(() => multistatus(question, known)).toThrow('The events must be read first.')
})
