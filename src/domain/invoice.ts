import type { Instant, Maybe } from './world.ts'

export interface Invoice {
  readonly id: string
  readonly invoiceNumber?: Maybe<string>
  readonly status?: Maybe<string>
  readonly issueDate?: Maybe<Instant>
  readonly dueDate?: Maybe<Instant>
  readonly totalAmount?: Maybe<number>
  /** ISO 4217 code. */
  readonly currency?: Maybe<string>
  readonly recipient?: Maybe<InvoiceRecipient>
  readonly lineItems?: Maybe<readonly InvoiceLineItem[]>
}

export interface InvoiceRecipient {
  readonly name?: Maybe<string>
  readonly email?: Maybe<string>
}

export interface InvoiceLineItem {
  readonly id?: Maybe<string>
  readonly description?: Maybe<string>
  readonly quantity?: Maybe<number>
  readonly rate?: Maybe<number>
  readonly amount?: Maybe<number>
}
