/* Takes the pictures of a mail in docs/mail.md, as a mail server gets it: `npm run mail:picture`. */
import path from 'node:path'

import { composeLetter } from '../../../src/access/mail/letters.ts'
import { Mailer } from '../../../src/access/mail/mailer.ts'
import { noBrand } from '../../../src/domain/brand.ts'
import { createSkippingClock } from '../../support/bridge/fake-clock.ts'
import { launchChromium } from '../../support/web/chromium.ts'
import { startMailServer } from '../../support/web/mail-server.ts'
import { readMail } from '../../support/web/read-mail.ts'

const folder = path.resolve(import.meta.dirname, '../../../.readme')
const publicUrl = 'https://calendar.example.com'

const server = await startMailServer()
const mailer = new Mailer({
  server: { host: '127.0.0.1', port: server.port, startsSecure: false, user: null, password: null },
  from: { name: 'Example Ltd', address: 'calendars@example.com' },
  mustBeSecure: false,
  publicUrl,
  clock: createSkippingClock(),
})
const browser = await launchChromium()
try {
  const letter = composeLetter({
    kind: 'invitation',
    sender: { brand: { ...noBrand, color: '#0b6e4f' }, company: 'Example Ltd' },
    to: { name: 'Ada Lovelace', address: 'ada@example.com' },
    firstName: 'Ada',
    feed: { name: 'Ada’s work calendar', locale: 'en', timezone: 'Europe/Berlin' },
    page: `${publicUrl}/feeds/cfb_N7wS2kQvD0xJmR4tYb9LhCzE6uGpAfXi1oT3sWqV8Ke`,
  })
  await mailer.send(letter)
  const html = readMail(server.mails[0]?.raw ?? '').parts[1]?.text ?? ''
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ viewport: { width: 390, height: 400 }, colorScheme })
    await page.setContent(html)
    await page.screenshot({ path: path.join(folder, `mail-${colorScheme}.png`), fullPage: true })
  }
} finally {
  await browser.close()
  mailer.close()
  await server.close()
}
