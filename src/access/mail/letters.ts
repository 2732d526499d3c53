import type { Feed, Locale } from '../../domain/feed.ts'
import type { Instant } from '../../domain/world.ts'
import { plainLine } from '../../text/plain-text.ts'
import type { Letter, Mailbox } from './mailer.ts'
import { deLetters } from './words/de.ts'
import { enLetters } from './words/en.ts'
import type { LetterKind, LetterWords } from './words/words.ts'

const languages: Readonly<Record<Locale, LetterWords>> = { en: enLetters, de: deLetters }

/** What a letter tells of. */
export interface LetterContent {
  readonly kind: LetterKind
  readonly to: Mailbox
  /** Empty where it is not known. */
  readonly firstName: string
  readonly feed: Pick<Feed, 'name' | 'locale' | 'timezone'>
  /** The secret address of the page; never the calendar's. */
  readonly page: string
  /** When the address ends in whose place the new one stands, if that is not now. */
  readonly oldEndsAt?: Instant | undefined
}

type Block =
  | { readonly text: string }
  | { readonly page: string }
  | { readonly steps: readonly string[] }

/** The letter in the feed's language: its text and its HTML are written of the same. */
export function composeLetter(content: LetterContent): Letter {
  const words = languages[content.feed.locale]
  const subject = words.subjects[content.kind]
  const blocks = blocksOf(content, words)
  return {
    to: content.to,
    subject,
    text: `${blocks.map(asText).join('\n\n')}\n`,
    html: htmlOf(content.feed.locale, subject, blocks),
  }
}

function blocksOf(content: LetterContent, words: LetterWords): readonly Block[] {
  const { kind, page } = content
  return [
    { text: words.greeting(plainLine(content.firstName).trim()) },
    { text: words.intros[kind](plainLine(content.feed.name)) },
    ...(kind === 'renewed' ? [{ text: sayOld(content, words) }] : []),
    { text: words.page },
    { page },
    { steps: words.steps },
    { text: words.secret },
    { text: words.unasked[kind] },
  ]
}

/** By the feed's clock, as its calendar says it. */
function sayOld({ oldEndsAt, feed }: LetterContent, words: LetterWords): string {
  if (oldEndsAt === undefined) return words.oldHasEnded
  const { locale, timezone: timeZone } = feed
  const language = locale === 'en' ? 'en-GB' : locale
  const day = new Intl.DateTimeFormat(language, { timeZone, dateStyle: 'long' }).format(oldEndsAt)
  return words.oldEndsOn(day)
}

function asText(block: Block): string {
  if ('text' in block) return block.text
  if ('page' in block) return block.page
  return block.steps.map((step, index) => `${index + 1}. ${step}`).join('\n')
}

function htmlOf(locale: Locale, title: string, blocks: readonly Block[]): string {
  return `<!doctype html>
<html lang="${locale}">
<head><meta charset="utf-8"><title>${escaped(title)}</title></head>
<body>
${blocks.map(asHtml).join('\n')}
</body>
</html>
`
}

function asHtml(block: Block): string {
  if ('text' in block) return `<p>${escaped(block.text)}</p>`
  if ('page' in block) {
    const page = escaped(block.page)
    return `<p><a href="${page}">${page}</a></p>`
  }
  return `<ol>\n${block.steps.map((step) => `<li>${escaped(step)}</li>`).join('\n')}\n</ol>`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')
}
