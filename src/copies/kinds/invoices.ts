import { anyScope, type Kind } from './kind.ts'

/** An invoice that a feed names. */
export const invoices: Kind<'invoice'> = {
  shownAs: 'invoices',
  neededBy: ['invoices'],
  isPersonal: false,
  mayBeMissing: true,
  freshMs: null,
  subjectsOf: ({ options }) => options.invoices.invoiceIds,
  scopeOf: () => anyScope,
  read: async ({ collection }, { api, signal }) => ({
    records: [await api.get('invoice', collection.subject, signal)],
    faults: [],
  }),
  keep: ({ id, invoiceNumber, status, dueDate, totalAmount, currency, recipient }) => ({
    id,
    invoiceNumber,
    status,
    dueDate,
    totalAmount,
    currency,
    recipient: recipient && { name: recipient.name },
  }),
}
