import type { Feed, Locale } from '../../domain/feed.ts'
import type { Instant } from '../../domain/world.ts'
import { plainLine } from '../../text/plain-text.ts'
import type { Letter, Mailbox } from './mailer.ts'

interface LetterContent {
  /** A first link, one in place of another, one for somebody who has not subscribed, or for a lost one. */
  readonly kind: 'invitation' | 'renewed' | 'reminder' | 'lost'
  readonly to: Mailbox
  readonly firstName: string
  readonly feed: Pick<Feed, 'name' | 'locale' | 'timezone'>
  /** The secret address of the page; never the calendar's. */
  readonly page: string
  /** When the replaced address ends; left out: now. */
  readonly oldEndsAt?: Instant | undefined
}

export function composeLetter(content: LetterContent): Letter {
  const { kind, to, firstName, feed, page } = content
  const words = languages[feed.locale]
  const subject = words.subjects[kind]
  const before = [
    words.greeting(plainLine(firstName).trim()),
    words.intros[kind](plainLine(feed.name)),
    ...(kind === 'renewed' ? [sayOld(content, words)] : []),
    words.page,
  ]
  const after = [words.secret, words.unasked[kind]]
  const steps = words.steps.map((step, index) => `${index + 1}. ${step}`).join('\n')
  const text = `${[...before, page, steps, ...after].join('\n\n')}\n`
  const html = `<!doctype html>
<html lang="${feed.locale}">
<head><meta charset="utf-8"><title>${escaped(subject)}</title></head>
<body>
${elements('p', before)}
<p><a href="${escaped(page)}">${escaped(page)}</a></p>
<ol>
${elements('li', words.steps)}
</ol>
${elements('p', after)}
</body>
</html>
`
  return { to, subject, text, html }
}

/** By the feed's clock, as its calendar says it. */
function sayOld({ oldEndsAt, feed }: LetterContent, words: LetterWords): string {
  if (oldEndsAt === undefined) return words.oldHasEnded
  const { locale, timezone: timeZone } = feed
  const language = locale === 'en' ? 'en-GB' : locale
  const day = new Intl.DateTimeFormat(language, { timeZone, dateStyle: 'long' }).format(oldEndsAt)
  return words.oldEndsOn(day)
}

function elements(name: string, texts: readonly string[]): string {
  return texts.map((text) => `<${name}>${escaped(text)}</${name}>`).join('\n')
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Plain text; escaped where it becomes HTML. */
const en = {
  subjects: {
    invitation: 'Your work calendar',
    renewed: 'Your work calendar has a new address',
    reminder: 'Your work calendar is waiting for you',
    lost: 'Your new link to your work calendar',
  },
  greeting: (firstName: string) => (firstName === '' ? 'Hello,' : `Hello ${firstName},`),
  intros: {
    invitation: (calendar: string) =>
      `Your work calendar “${calendar}” is ready. The calendar program you already use can show it and keeps it up to date.`,
    renewed: (calendar: string) =>
      `Your work calendar “${calendar}” has a new address. Please subscribe to it again.`,
    reminder: (calendar: string) =>
      `Your work calendar “${calendar}” is not in your calendar program yet. Here is a new link to it.`,
    lost: (calendar: string) =>
      `Here is a new link to your work calendar “${calendar}”. You, or somebody who entered your address, asked for it. A link that was emailed to you this way before stops working once you have subscribed with this one; your other links keep working.`,
  },
  oldHasEnded:
    'The old address has ended: your calendar program no longer gets changes through it. Remove the old calendar there.',
  oldEndsOn: (date: string) =>
    `The old address works until ${date}. Remove the old calendar from your calendar program once you see the new one.`,
  page: 'This is your page:',
  steps: [
    'Open the page on the device on which you use your calendar.',
    'Choose your calendar program there and press its button.',
    'Confirm in the program that you want to subscribe. Most programs show the first entries within minutes, Google within a day.',
  ],
  secret:
    'The address of the page is a secret: anyone who has it can read this calendar. Do not forward this email. If the address got into the wrong hands, get a new one on the page, or ask HR for one.',
  unasked: {
    invitation: 'If you did not expect this email, ask HR about it.',
    renewed: 'If you did not expect a new address, ask HR about it.',
    reminder: 'If you do not want this calendar, you do not need to do anything.',
    lost: 'If you did not ask for it, you do not need to do anything else: only you have received this link. Delete this email, and tell HR if you get another one.',
  },
}

type LetterWords = typeof en

const de: LetterWords = {
  subjects: {
    invitation: 'Ihr Arbeitskalender',
    renewed: 'Ihr Arbeitskalender hat eine neue Adresse',
    reminder: 'Ihr Arbeitskalender wartet auf Sie',
    lost: 'Ihr neuer Link zu Ihrem Arbeitskalender',
  },
  greeting: (firstName) => (firstName === '' ? 'Guten Tag,' : `Guten Tag, ${firstName},`),
  intros: {
    invitation: (calendar) =>
      `Ihr Arbeitskalender „${calendar}“ steht bereit. Das Kalenderprogramm, das Sie ohnehin nutzen, kann ihn anzeigen und hält ihn aktuell.`,
    renewed: (calendar) =>
      `Ihr Arbeitskalender „${calendar}“ hat eine neue Adresse. Bitte abonnieren Sie ihn noch einmal.`,
    reminder: (calendar) =>
      `Ihr Arbeitskalender „${calendar}“ ist noch nicht abonniert. Hier ist ein neuer Link dafür.`,
    lost: (calendar) =>
      `hier ist ein neuer Link zu Ihrem Arbeitskalender „${calendar}“. Angefordert haben ihn Sie oder jemand, der Ihre Adresse eingegeben hat. Ein Link, der Ihnen zuvor auf diesem Weg geschickt wurde, wird ungültig, sobald Sie den neuen abonniert haben; Ihre anderen Links gelten weiter.`,
  },
  oldHasEnded:
    'Die alte Adresse gilt nicht mehr: Ihr Kalenderprogramm bekommt darüber keine Änderungen mehr. Entfernen Sie dort den alten Kalender.',
  oldEndsOn: (date) =>
    `Die alte Adresse gilt noch bis zum ${date}. Entfernen Sie den alten Kalender aus Ihrem Kalenderprogramm, sobald Sie den neuen sehen.`,
  page: 'Dies ist Ihre Seite:',
  steps: [
    'Öffnen Sie die Seite auf dem Gerät, auf dem Sie Ihren Kalender nutzen.',
    'Wählen Sie dort Ihr Kalenderprogramm und klicken oder tippen Sie auf den zugehörigen Button.',
    'Bestätigen Sie im Programm, dass Sie den Kalender abonnieren möchten. Die meisten Programme zeigen die ersten Einträge nach wenigen Minuten, Google innerhalb eines Tages.',
  ],
  secret:
    'Die Adresse der Seite ist geheim: Wer sie hat, kann diesen Kalender lesen. Leiten Sie diese Mail nicht weiter. Ist die Adresse in falsche Hände geraten, holen Sie sich auf der Seite eine neue oder bitten Sie die Personalabteilung um eine.',
  unasked: {
    invitation: 'Falls Sie diese Mail nicht erwartet haben, fragen Sie die Personalabteilung.',
    renewed: 'Falls Sie keine neue Adresse erwartet haben, fragen Sie die Personalabteilung.',
    reminder: 'Falls Sie diesen Kalender nicht nutzen möchten, brauchen Sie nichts zu tun.',
    lost: 'Falls Sie nicht darum gebeten haben, brauchen Sie nichts weiter zu tun: Nur Sie haben diesen Link bekommen. Löschen Sie diese Mail, und sagen Sie der Personalabteilung Bescheid, wenn Sie sie noch einmal bekommen.',
  },
}

const languages: Readonly<Record<Locale, LetterWords>> = { en, de }
