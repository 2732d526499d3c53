import type { Invoice } from '../domain/invoice.ts'
import { buildEvent } from './build-event.ts'
import { readDueDay } from './event-time.ts'
import { expandEach, type Expanding, type Outcome } from './expansion.ts'
import { invoiceAmount } from './invoice-amount.ts'
import { isVisible, singleLine } from './text.ts'

/** The invoices that the feed names (event-rules section 7). */
export function expandInvoices(expanding: Expanding): Outcome[] {
  const { feed, records } = expanding
  const { show, invoiceIds, hideStatuses } = feed.options.invoices
  if (!show) return []
  return expandEach('invoice', records.invoices, (invoice) => {
    const isShown = invoiceIds.includes(invoice.id) && !hideStatuses.includes(invoice.status ?? '')
    return isShown ? expandInvoice(invoice, expanding) : []
  })
}

function expandInvoice(invoice: Invoice, expanding: Expanding): Outcome[] {
  const { words, feed, reading } = expanding
  const { id, dueDate, recipient } = invoice
  if (dueDate === null || dueDate === undefined) return []
  const number = singleLine(invoice.invoiceNumber ?? '')
  const amount = invoiceAmount(invoice, feed.locale)
  const event = buildEvent(
    {
      kind: 'invoice',
      id,
      time: readDueDay(dueDate, reading),
      title: words.invoiceDue(isVisible(number) ? number : null, amount),
      details: [recipient?.name && words.recipient(singleLine(recipient.name))],
    },
    expanding,
  )
  return [event]
}
