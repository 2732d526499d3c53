import { addDays } from '../../domain/plain-date.ts'
import type { CompanyRecords } from '../../wire/company-file.ts'
import { midnight, between, pick, type Surroundings, turn } from './days.ts'

/** Upcoming, overdue, paid and unsent invoices; `due` is in days from today. */
const plans = [
  { status: 'ISSUED', due: 18, hours: 12, rate: 100, customer: 0 },
  { status: 'ISSUED', due: -4, hours: 7.5, rate: 96.4, customer: 1 },
  { status: 'PAID', due: -40, hours: 40, rate: 85, customer: 0 },
  { status: 'DRAFT', due: 35, hours: 3, rate: 120, customer: 2 },
]

type InvoicePlan = (typeof plans)[number]

/**
 * Yields the four invoices of every sample company, then `more` others in order of issue. Each is due thirty days after
 * issue.
 */
export function* sampleInvoices(
  more: number,
  around: Surroundings,
): Generator<CompanyRecords['invoices']> {
  for (let index = 0; index < plans.length + more; index += 1) {
    const age = (index - plans.length) / more
    yield invoiceOf(index, plans[index] ?? inventInvoice(age, around), around)
  }
}

function invoiceOf(
  index: number,
  { status, due, hours, rate, customer }: InvoicePlan,
  { today, words }: Surroundings,
): CompanyRecords['invoices'] {
  const totalAmount = Math.round(hours * rate * 100) / 100
  const number = index + 1
  return {
    id: `inv_${number}`,
    invoiceNumber: `INV-${String(number).padStart(3, '0')}`,
    status,
    issueDate: midnight(addDays(today, due - 30)),
    dueDate: midnight(addDays(today, due)),
    totalAmount,
    currency: 'EUR',
    recipient: {
      name: turn(words.customers, customer),
      email: `accounts@customer-${customer + 1}.example`,
    },
    lineItems: [
      {
        id: `li_${number}`,
        description: turn(words.services, index),
        quantity: hours,
        rate,
        amount: totalAmount,
      },
    ],
  }
}

/** `age` runs from 0 for the oldest to 1 for an invoice that is not yet sent. */
function inventInvoice(age: number, { words, random }: Surroundings): InvoicePlan {
  const due = Math.round(-80 + 120 * age)
  // Nearly all are paid on time.
  const isPaid = due <= 30 && random() < (due < 0 ? 0.93 : 0.3)
  return {
    status: due > 30 ? 'DRAFT' : isPaid ? 'PAID' : 'ISSUED',
    due,
    hours: between(random, 4, 320) / 4,
    rate: pick(random, [72, 85, 96.4, 100, 110, 120, 145]),
    customer: between(random, 0, words.customers.length - 1),
  }
}
