import { z } from 'zod'

import type { Invoice, InvoiceLineItem, InvoiceRecipient } from '../domain/invoice.ts'
import {
  type Fields,
  id,
  optionalInstant,
  optionalName,
  optionalNumber,
  optionalText,
  optionalWord,
  forgiving,
  type ReadRecord,
} from './fields.ts'

const recipient = z.looseObject({
  name: optionalText,
  email: optionalText,
} satisfies Fields<InvoiceRecipient>)

const lineItem = z.looseObject({
  id: optionalText,
  description: optionalText,
  quantity: optionalNumber,
  rate: optionalNumber,
  amount: optionalNumber,
} satisfies Fields<InvoiceLineItem>)

/** JSON ↔ Invoice; preserves unknown statuses and further fields. */
export const invoiceCodec = z.looseObject({
  id,
  invoiceNumber: optionalText,
  status: optionalText,
  issueDate: optionalInstant,
  dueDate: optionalInstant,
  totalAmount: optionalNumber,
  currency: optionalText,
  recipient: recipient.nullish(),
  lineItems: z.array(lineItem).nullish(),
} satisfies Fields<Invoice>)

const shown = invoiceCodec
  .omit({ issueDate: true, lineItems: true })
  .extend({
    invoiceNumber: optionalName,
    status: optionalWord,
    currency: optionalWord,
    recipient: z.object({ name: optionalName }).nullish(),
  })
  .strip()

/** Reads what a calendar can show of an invoice. */
export const readInvoice: ReadRecord<Invoice> = forgiving(shown, ['dueDate', 'status'])
