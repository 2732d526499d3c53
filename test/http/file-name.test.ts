/* The name that a calendar is kept under: anyone who has an address may write any name into it. */
import { parse } from 'content-disposition'
import fc from 'fast-check'
import { expect, it } from 'vitest'

import { calendarDisposition } from '../../src/http/feed-routes.ts'

function fileNameOf(name: string): string | undefined {
  return parse(calendarDisposition('attachment', name)).parameters['filename']
}

it.each([
  ['adas-work-calendar', 'adas-work-calendar.ics'],
  ['Team 7_north', 'Team 7_north.ics'],
  ['Jörgs Kalender 🗓', 'Jörgs Kalender 🗓.ics'],
  ['a=b', 'a-b.ics'],
  ['../../etc/passwd', 'etc-passwd.ics'],
  ['..\\..\\x', 'x.ics'],
  ['..', 'calendar.ics'],
  ['say "hi"; filename=x', 'say -hi- filename-x.ics'],
  ['%2e%2e%2fx', '2e-2e-2fx.ics'],
  ['invoice.pdf.exe', 'invoice-pdf-exe.ics'],
  ['invoice\u202Escr.pdf', 'invoice-scr-pdf.ics'],
  ['a\r\nSet-Cookie: x', 'a-Set-Cookie- x.ics'],
  ['a\0b\u007F\u0085\u2028c', 'a-b-c.ics'],
  ['zero\u200Bwidth\uFEFF', 'zero-width.ics'],
  ['x'.repeat(300), `${'x'.repeat(100)}.ics`],
])('%j is saved as %j', (name, expected) => {
  expect(fileNameOf(name)).toBe(expected)
})

it('the file name is always quoted, and repeated in filename* if it is outside ASCII', () => {
  expect(calendarDisposition('inline', 'ada')).toBe('inline; filename="ada.ics"')
  expect(calendarDisposition('inline', '予定')).toBe(
    `inline; filename="??.ics"; filename*=UTF-8''%E4%BA%88%E5%AE%9A.ics`,
  )
})

it('any name gives one header with one file name and one extension', () => {
  const anyName = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.string())
  fc.assert(
    fc.property(anyName, (name) => {
      const header = calendarDisposition('attachment', name)
      expect(header).toMatch(
        /^attachment; filename="[ \w\u00A1-\u00FF?-]+\.ics"(; filename\*=UTF-8''[\w%!'()*~-]+\.ics)?$/,
      )
      expect(fileNameOf(name)).toMatch(/^[^./\\\p{C}\p{Zl}\p{Zp}]+\.ics$/u)
    }),
  )
})
