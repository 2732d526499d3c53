import type { Invoice } from '../domain/invoice.ts'
import { isVisible, singleLine } from '../text/plain-text.ts'
import { buildEvent } from './build-event.ts'
import { readDueDay } from './event-time.ts'
import { expandEach, type ExpansionContext, latestOf, type Piece } from './expansion.ts'
import { invoiceAmount } from './invoice-amount.ts'

/** The invoices that the feed names, but for those in a status that it hides. */
export function* expandInvoices(context: ExpansionContext): Iterable<readonly Piece[]> {
  const { feed, records } = context
  const { invoiceIds, hideStatuses } = feed.options.invoices
  yield* expandEach('invoice', yield* latestOf(records.invoice.values()), (invoice) => {
    if (!invoiceIds.includes(invoice.id)) return null
    return hideStatuses.includes(invoice.status ?? '') ? [] : expandInvoice(invoice, context)
  })
}

/** All-day on the due date; without one no event. */
function expandInvoice(invoice: Invoice, context: ExpansionContext): Piece[] {
  const { words, feed, convention } = context
  const { id, dueDate, recipient } = invoice
  if (dueDate === null || dueDate === undefined) return []
  const number = singleLine(invoice.invoiceNumber ?? '')
  const amount = invoiceAmount(invoice, feed.locale)
  const event = buildEvent(
    {
      kind: 'invoice',
      id,
      time: readDueDay(dueDate, convention),
      title: words.invoiceDue(isVisible(number) ? number : null, amount),
      details: [recipient?.name && words.recipient(singleLine(recipient.name))],
    },
    context,
  )
  return [event]
}
