import { addDays, type PlainDate } from '../../domain/plain-date.ts'
import type { CompanyRecords } from '../../wire/company-file.ts'
import { midnight } from './days.ts'

const plans = [
  { number: 1, status: 'ISSUED', due: 18, hours: 12, rate: 100, recipient: 'Nordlicht GmbH' },
  { number: 2, status: 'ISSUED', due: -4, hours: 7.5, rate: 96.4, recipient: 'Atelier Dubois' },
  { number: 3, status: 'PAID', due: -40, hours: 40, rate: 85, recipient: 'Nordlicht GmbH' },
  { number: 4, status: 'DRAFT', due: 35, hours: 3, rate: 120, recipient: 'Tervo Oy' },
]

/** Invoices to come, overdue, paid and not yet sent; each is due thirty days after its issue. */
export function sampleInvoices(today: PlainDate): CompanyRecords['invoices'][] {
  return plans.map(({ number, status, due, hours, rate, recipient }) => ({
    id: `inv_${number}`,
    invoiceNumber: `INV-00${number}`,
    status,
    issueDate: midnight(addDays(today, due - 30)),
    dueDate: midnight(addDays(today, due)),
    totalAmount: hours * rate,
    currency: 'EUR',
    recipient: { name: recipient, email: 'accounts@customer.example' },
    lineItems: [
      {
        id: `li_${number}`,
        description: 'Consulting',
        quantity: hours,
        rate,
        amount: hours * rate,
      },
    ],
  }))
}
