import path from 'node:path'

import type { Locale } from '../../domain/feed.ts'
import { openTemplates } from '../../web/pages/templates.ts'
import type { Letter } from './mailer.ts'

const words: Readonly<Record<Locale, (host: string) => readonly [subject: string, ...string[]]>> = {
  en: (host) => [
    `Test mail from ${host}`,
    `This mail shows that ${host} can send mail to you.`,
    'Somebody asked for it in the console. There is nothing to do.',
    'If it was among your spam, mails to your colleagues will be, too: tell your IT.',
  ],
  de: (host) => [
    `Testmail von ${host}`,
    `Diese Mail zeigt, dass ${host} Ihnen Mails schicken kann.`,
    'Jemand hat sie in der Konsole angefordert. Sie müssen nichts tun.',
    'Lag sie im Spam, dann landen dort auch die Mails an Ihre Kolleginnen und Kollegen: Sagen Sie es Ihrer IT.',
  ],
}

const render = openTemplates(path.join(import.meta.dirname, 'templates'))

export function composeTest(address: string, locale: Locale, publicUrl: string): Letter {
  const [subject, ...lines] = words[locale](new URL(publicUrl).host)
  const html = render('test', { locale, subject, lines })
  return { to: { name: '', address }, subject, text: `${lines.join('\n\n')}\n`, html, logo: null }
}
