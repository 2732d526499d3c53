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
      `your work calendar “${calendar}” is ready. The calendar program that you use anyway can show it, and it follows every change.`,
    renewed: (calendar: string) =>
      `your work calendar “${calendar}” has a new address. Please subscribe to it again.`,
    reminder: (calendar: string) =>
      `nobody has subscribed to your work calendar “${calendar}” yet. Here is a new link to it.`,
    lost: (calendar: string) =>
      `here is a new link to your work calendar “${calendar}”, as you, or somebody who entered your address, asked for. A link that was mailed to you in this way before ends once you have subscribed by this one; your others go on.`,
  },
  oldHasEnded:
    'The old address has ended: what your calendar program shows by it no longer changes. Remove the old calendar there.',
  oldEndsOn: (date: string) =>
    `The old address works until ${date}. Remove the old calendar from your calendar program once you see the new one.`,
  page: 'This is your page:',
  steps: [
    'Open the page on the device on which you use your calendar.',
    'Choose your calendar program there and press its button.',
    'Confirm in the program that you want to subscribe. Most show the first entries within minutes, Google within a day.',
  ],
  secret:
    'The address of the page is a secret: anyone who has it can read this calendar. Do not forward this mail. If it got into the wrong hands, take a new address on the page, or ask HR for one.',
  unasked: {
    invitation: 'If you did not expect this mail, ask HR about it.',
    renewed: 'If you did not expect a new address, ask HR about it.',
    reminder: 'If you do not want this calendar, there is nothing to do.',
    lost: 'If you did not ask for it, there is nothing to do: only you have got this link. Delete this mail, and tell HR if it comes again.',
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
      `Ihr Arbeitskalender „${calendar}“ steht bereit. Das Kalenderprogramm, das Sie ohnehin nutzen, kann ihn zeigen und folgt jeder Änderung.`,
    renewed: (calendar) =>
      `Ihr Arbeitskalender „${calendar}“ hat eine neue Adresse. Bitte abonnieren Sie ihn noch einmal.`,
    reminder: (calendar) =>
      `Ihr Arbeitskalender „${calendar}“ ist noch nicht abonniert. Hier ist ein neuer Link zu ihm.`,
    lost: (calendar) =>
      `hier ist ein neuer Link zu Ihrem Arbeitskalender „${calendar}“, um den Sie gebeten haben, oder jemand, der Ihre Adresse eingegeben hat. Ein Link, der Ihnen zuvor auf diesem Weg geschickt wurde, endet, sobald Sie über diesen abonniert haben; Ihre anderen gelten weiter.`,
  },
  oldHasEnded:
    'Die alte Adresse ist beendet: Was Ihr Kalenderprogramm unter ihr zeigt, ändert sich nicht mehr. Entfernen Sie dort den alten Kalender.',
  oldEndsOn: (date) =>
    `Die alte Adresse gilt noch bis ${date}. Entfernen Sie den alten Kalender aus Ihrem Kalenderprogramm, sobald Sie den neuen sehen.`,
  page: 'Dies ist Ihre Seite:',
  steps: [
    'Öffnen Sie die Seite auf dem Gerät, auf dem Sie Ihren Kalender nutzen.',
    'Wählen Sie dort Ihr Kalenderprogramm und drücken Sie dessen Knopf.',
    'Bestätigen Sie im Programm, dass Sie den Kalender abonnieren. Die meisten zeigen die ersten Einträge nach Minuten, Google innerhalb eines Tages.',
  ],
  secret:
    'Die Adresse der Seite ist ein Geheimnis: Wer sie hat, kann diesen Kalender lesen. Leiten Sie diese Mail nicht weiter. Ist sie in falsche Hände geraten, nehmen Sie auf der Seite eine neue Adresse oder bitten Sie die Personalabteilung um eine.',
  unasked: {
    invitation: 'Falls Sie diese Mail nicht erwartet haben, fragen Sie die Personalabteilung.',
    renewed: 'Falls Sie keine neue Adresse erwartet haben, fragen Sie die Personalabteilung.',
    reminder: 'Falls Sie diesen Kalender nicht nutzen möchten, ist nichts zu tun.',
    lost: 'Falls Sie nicht darum gebeten haben, ist nichts zu tun: Nur Sie haben diesen Link bekommen. Löschen Sie diese Mail, und sagen Sie der Personalabteilung Bescheid, wenn Sie sie noch einmal bekommen.',
  },
}

const languages: Readonly<Record<Locale, LetterWords>> = { en, de }
