import type { Locale } from '../domain/feed.ts'
import type { Invoice } from '../domain/invoice.ts'
import { memo } from '../domain/memo.ts'

const formatsMax = 500

/** `1,200.00 EUR`: in the language's digits with the currency's own number of decimals; null without an amount. */
export function invoiceAmount(
  { totalAmount, currency }: Pick<Invoice, 'totalAmount' | 'currency'>,
  locale: Locale,
): string | null {
  if (typeof totalAmount !== 'number' || !Number.isFinite(totalAmount)) return null
  const code = currency ?? ''
  const amount = formatAmount(totalAmount, code, locale)
  return code === '' ? amount : `${amount} ${code}`
}

function formatAmount(amount: number, code: string, locale: Locale): string {
  return amountFormat(`${locale} ${code.toUpperCase()}`)
    .formatToParts(amount)
    .filter(({ type }) => type !== 'currency' && type !== 'literal')
    .map(({ value }) => value)
    .join('')
}

const amountFormat = memo(formatsMax, (key: string) => {
  const [locale, code = ''] = key.split(' ')
  // Intl throws on a code that is not three letters, and knows no decimals for it.
  return /^[A-Z]{3}$/.test(code)
    ? new Intl.NumberFormat(locale, { style: 'currency', currency: code })
    : new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
})
