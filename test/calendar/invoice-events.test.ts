import { describe, expect, it } from 'vitest'

import { at, expand, expandOne, type SourceChanges } from '../support/calendar/calendar-source.ts'

const invoice = {
  id: 'inv_1',
  invoiceNumber: 'INV-001',
  status: 'ISSUED',
  dueDate: at('2026-03-20'),
  totalAmount: 1200,
  currency: 'EUR',
  recipient: { name: 'Difference\nLtd', email: 'x@example.com' },
}

function invoices(fields: object, changes: SourceChanges = {}): SourceChanges {
  return { ...changes, records: { invoices: [{ ...invoice, ...fields }] } }
}

describe('invoices', () => {
  it('Are all-day on the due date', () => {
    expect(expandOne(invoices({}))).toMatchObject({
      uid: 'invoice-inv_1@main.calendar-feed-bridge',
      time: { allDay: true, start: '2026-03-20', end: '2026-03-21' },
      title: 'Invoice INV-001 due: 1,200.00 EUR',
      description: 'Recipient: Difference Ltd',
      busy: 'FREE',
    })
  })

  it.each([
    ['en', { currency: 'JPY', totalAmount: 1234567 }, 'Invoice INV-001 due: 1,234,567 JPY'],
    ['en', { currency: 'BHD', totalAmount: 1.5 }, 'Invoice INV-001 due: 1.500 BHD'],
    ['en', { currency: 'XYZ' }, 'Invoice INV-001 due: 1,200.00 XYZ'],
    ['en', { currency: 'Euro' }, 'Invoice INV-001 due: 1,200.00 Euro'],
    ['en', { currency: '€' }, 'Invoice INV-001 due: 1,200.00 €'],
    ['en', { currency: null }, 'Invoice INV-001 due: 1,200.00'],
    ['en', { totalAmount: -5.005 }, 'Invoice INV-001 due: -5.01 EUR'],
    ['en', { totalAmount: null }, 'Invoice INV-001 due'],
    ['en', { totalAmount: Number.NaN }, 'Invoice INV-001 due'],
    ['en', { totalAmount: Number.POSITIVE_INFINITY }, 'Invoice INV-001 due'],
    ['en', { invoiceNumber: null, totalAmount: null }, 'Invoice due'],
    ['de', {}, 'Rechnung INV-001 fällig: 1.200,00 EUR'],
  ] as const)('%s %j: %s', (locale, fields, title) => {
    expect(expandOne(invoices(fields, { feed: { locale } })).title).toBe(title)
  })

  it('Are due on the company’s date if the due date has a time of day', () => {
    const event = expandOne(invoices({ dueDate: at('2026-03-20T23:30:00Z') }))
    expect(event.time.start).toBe('2026-03-21')
  })

  it.each([
    ['not named', { id: 'inv_2' }],
    ['paid', { status: 'PAID' }],
    ['no due date', { dueDate: null }],
  ])('Gives no event: %s', (_, fields) => {
    expect(expand(invoices(fields))).toEqual({ events: [], setAside: [] })
  })
})
