import path from 'node:path'

import type { Brand, Logo } from '../../domain/brand.ts'
import { readableOn, withContrast } from '../../domain/contrast.ts'
import type { Feed } from '../../domain/feed.ts'
import type { Instant } from '../../domain/world.ts'
import { isolated, plainLine } from '../../text/plain-text.ts'
import { openTemplates } from '../../web/pages/templates.ts'
import { type LetterWords, languages } from './letter-words.ts'
import { type Letter, logoCid, type Mailbox } from './mailer.ts'

export interface Sender {
  readonly brand: Brand
  /** The company's name; null if only its id is known. */
  readonly company: string | null
}

/** A first link, one in place of another, for somebody who has not subscribed or no longer does, or for a lost one. */
export type LetterKind = 'invitation' | 'renewed' | 'reminder' | 'quiet' | 'lost'

interface LetterContent {
  readonly kind: LetterKind
  readonly sender: Sender
  readonly to: Mailbox
  readonly firstName: string
  readonly feed: Pick<Feed, 'name' | 'locale' | 'timezone'>
  /** The secret address of the page; never the calendar's. */
  readonly page: string
  /** When the replaced address ends; left out: now. */
  readonly oldEndsAt?: Instant | undefined
}

const render = openTemplates(path.join(import.meta.dirname, 'templates'))

export function composeLetter(content: LetterContent): Letter {
  const { kind, sender, to, firstName, feed, page } = content
  const words = languages[feed.locale]
  const { brand } = sender
  const at = words.at(named(sender.company ?? brand.name))
  const name = named(brand.name ?? sender.company)
  const subject = words.subjects[kind](at)
  const greeting = words.greeting(named(firstName))
  const heading = words.headings[kind]
  const intro = [
    words.intros[kind](named(feed.name)),
    ...(kind === 'renewed' ? [sayOld(content, words)] : []),
  ].join(' ')
  const { steps } = words
  const notes = [words.secret, words.unasked[kind]]
  const footer = [words.reasons[kind](at), words.sentBy(name, new URL(page).host)]
  const numbered = steps.map((step, index) => `${index + 1}. ${step}`).join('\n')
  const address = `${words.page}\n${page}`
  const text = `${[greeting, `${heading}. ${intro}`, address, numbered, ...notes, footer.join('\n')].join('\n\n')}\n`
  const logo = brand.logo?.type === 'image/png' ? brand.logo : null
  const html = render('letter', {
    locale: feed.locale,
    subject,
    page,
    greeting,
    heading,
    intro,
    steps,
    notes,
    footer,
    preview: words.previews[kind],
    action: words.action,
    fallback: words.fallback,
    name: name === '' ? words.neutralName : name,
    logo: logo && { cid: logoCid, ...shownSize(logo) },
    light: shades(brand.color, '#f5f7fa'),
    dark: shades(brand.color, '#1a202b'),
  })
  return { to, subject, text, html, logo: logo?.bytes ?? null }
}

/** As part of a sentence; empty if there is none. */
function named(name: string | null): string {
  return isolated(plainLine(name ?? '').trim())
}

/** By the feed's clock, as its calendar says it. */
function sayOld({ oldEndsAt, feed }: LetterContent, words: LetterWords): string {
  if (oldEndsAt === undefined) return words.oldHasEnded
  const { locale, timezone: timeZone } = feed
  const language = locale === 'en' ? 'en-GB' : locale
  const day = new Intl.DateTimeFormat(language, { timeZone, dateStyle: 'long' }).format(oldEndsAt)
  return words.oldEndsOn(day)
}

const neutralColor = '#0172ad'

function shades(color: string | null, background: string) {
  const button = color ?? neutralColor
  return {
    button,
    border: withContrast(button, background, 3),
    label: readableOn(button),
    link: withContrast(button, background, 4.5),
  }
}

const logoMax = { width: 220, height: 40 }

/** In CSS pixels. */
function shownSize({ width, height }: Logo): Pick<Logo, 'width' | 'height'> {
  const scale = Math.min(1, logoMax.width / width, logoMax.height / height)
  return { width: Math.round(width * scale), height: Math.round(height * scale) }
}
