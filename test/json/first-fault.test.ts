/* Where a text stops being JSON is told of every text that is none, and of no other. */
import fc from 'fast-check'
import { expect, it } from 'vitest'

import { firstFault } from '../../src/json/first-fault.ts'

it('is told exactly where JSON.parse refuses the text, within the text', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), fc.string({ maxLength: 3 }), (json, at, put) => {
      const place = at % (json.length + 1)
      const text = json.slice(0, place) + put + json.slice(place + 1)
      const fault = firstFault(text.toWellFormed())
      expect(fault === undefined).toBe(isJson(text.toWellFormed()))
      expect(fault?.column ?? 1).toBeLessThanOrEqual(text.length + 1)
    }),
  )
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
