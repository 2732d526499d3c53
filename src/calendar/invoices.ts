import type { Locale } from '../domain/feed.ts'
import type { Invoice } from '../domain/invoice.ts'
import { memo } from '../domain/memo.ts'
import { isVisible, plainText } from '../text/plain-text.ts'
import { buildEvent } from './build-event.ts'
import { readDue } from './event-time.ts'
import { type Expansible, type ExpansionContext, latestOf } from './expansion.ts'

const formatsMax = 500

/** Expands the invoices that the feed names, except those without a due date or with hidden statuses. */
export function expandInvoices(context: ExpansionContext): Expansible<Invoice> {
  const { feed, records, convention, words } = context
  const { invoiceIds, hideStatuses } = feed.options.invoices
  return {
    kind: 'invoice',
    records: latestOf(records.invoice.values()),
    expand: (invoice) => {
      const { id, dueDate, recipient } = invoice
      if (!invoiceIds.includes(id)) return null
      if (dueDate == null || hideStatuses.includes(invoice.status ?? '')) return []
      const number = plainText(invoice.invoiceNumber ?? '', ' ')
      const amount = invoiceAmount(invoice, feed.locale)
      const draft = {
        kind: 'invoice',
        id,
        time: readDue(dueDate, null, convention),
        title: words.invoiceDue(isVisible(number) ? number : null, amount),
        details: [recipient?.name && words.recipient(plainText(recipient.name, ' '))],
      } as const
      return [buildEvent(draft, context)]
    },
  }
}

/** Returns `1,200.00 EUR`, in the language's digits with the currency's own decimals; null without an amount. */
function invoiceAmount({ totalAmount, currency }: Invoice, locale: Locale): string | null {
  if (typeof totalAmount !== 'number' || !Number.isFinite(totalAmount)) return null
  const code = currency ?? ''
  const amount = amountFormat(`${locale} ${code.toUpperCase()}`)
    .formatToParts(totalAmount)
    .filter(({ type }) => type !== 'currency' && type !== 'literal')
    .map(({ value }) => value)
    .join('')
  return code === '' ? amount : `${amount} ${code}`
}

const amountFormat = memo(formatsMax, (key: string) => {
  const [locale, code = ''] = key.split(' ')
  // Intl throws on a code that is not three letters, and has no decimals for it.
  return /^[A-Z]{3}$/.test(code)
    ? new Intl.NumberFormat(locale, { style: 'currency', currency: code })
    : new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
})
