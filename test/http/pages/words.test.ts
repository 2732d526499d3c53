/* What the page says of other things by their names is what those are called. */
import { expect, it } from 'vitest'

import { languages } from '../../../src/calendar/words.ts'
import { locales } from '../../../src/domain/feed.ts'
import { pageLanguages } from '../../../src/http/pages/words/words.ts'

it.for(locales)('buttons and entries are named as they are called, %s', (locale) => {
  const { ways, googleOnPhone, selfService } = pageLanguages[locale]
  const words = languages[locale]
  expect(googleOnPhone.steps.join(' ')).toContain(ways.google.action)
  for (const name of [words.away, `(${words.pending})`, `(${words.partOfDay(0.5)})`]) {
    expect(selfService.detailHint).toContain(name)
  }
})
