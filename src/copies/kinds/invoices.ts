import { answerOf } from '../../domain/read-api.ts'
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
  read: async ({ collection }, { api, signal, anew }) =>
    answerOf([await api.get('invoice', collection.subject, { signal, anew })]),
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
