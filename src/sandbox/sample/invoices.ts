import { addDays, type PlainDate } from '../../domain/plain-date.ts'
import type { CompanyRecords } from '../../wire/company-file.ts'
import { midnight } from './days.ts'
import { between, pick, type Random, turn } from './random.ts'
import type { SampleWords } from './words/words.ts'

interface InvoicePlan {
  readonly status: string
  /** In days from today. */
  readonly due: number
  readonly hours: number
  readonly rate: number
  /** Which of the customers. */
  readonly customer: number
}

/** Invoices to come, overdue, paid and not yet sent. */
const plans: readonly InvoicePlan[] = [
  { status: 'ISSUED', due: 18, hours: 12, rate: 100, customer: 0 },
  { status: 'ISSUED', due: -4, hours: 7.5, rate: 96.4, customer: 1 },
  { status: 'PAID', due: -40, hours: 40, rate: 85, customer: 0 },
  { status: 'DRAFT', due: 35, hours: 3, rate: 120, customer: 2 },
]

interface Surroundings {
  readonly today: PlainDate
  readonly words: SampleWords
  readonly random: Random
}

/** The four that every sample company has, and so many more; each is due thirty days after its issue. */
export function sampleInvoices(
  more: number,
  { today, words, random }: Surroundings,
): CompanyRecords['invoices'][] {
  const invented = Array.from({ length: more }, () => inventInvoice(words, random))
  return [...plans, ...invented].map(({ status, due, hours, rate, customer }, index) => {
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
  })
}

function inventInvoice(words: SampleWords, random: Random): InvoicePlan {
  const due = between(random, -80, 45)
  return {
    status: due < -10 && random() < 0.9 ? 'PAID' : pick(random, ['ISSUED', 'ISSUED', 'DRAFT']),
    due,
    hours: between(random, 4, 320) / 4,
    rate: pick(random, [72, 85, 96.4, 100, 110, 120, 145]),
    customer: between(random, 0, words.customers.length - 1),
  }
}
