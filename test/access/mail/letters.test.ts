import { readFileSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

import { senderOf } from '../../../src/access/mail/invitations.ts'
import { composeLetter, type Sender } from '../../../src/access/mail/letters.ts'
import { type Brand, noBrand } from '../../../src/domain/brand.ts'
import { locales } from '../../../src/domain/feed.ts'
import { sharedChromium } from '../../support/web/chromium.ts'
import { type Visit, violations, visit } from '../../support/web/visit.ts'
import { compiledFile, compileLetter } from './compile-letter.ts'

const page = `https://calendar.example.com/work/feeds/cfb_${'a'.repeat(43)}`
const kinds = ['invitation', 'renewed', 'reminder', 'quiet', 'lost'] as const
/** One pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const nobody: Sender = { brand: noBrand, company: null }
const content = {
  kind: 'invitation',
  sender: nobody,
  to: { name: 'Ada Lovelace', address: 'ada@example.com' },
  firstName: 'Ada',
  feed: { name: 'Ada', locale: 'en', timezone: 'Europe/Berlin' },
  page,
} as const

function branded(brand: Partial<Brand>, company: string | null = null): Sender {
  return { brand: { ...noBrand, ...brand }, company }
}

async function open(html: string, colorScheme: 'light' | 'dark' = 'light'): Promise<Visit> {
  const url = `data:text/html;charset=utf-8;base64,${Buffer.from(html).toString('base64')}`
  const viewport = { width: 320, height: 700 }
  return visit(await sharedChromium(), url, { viewport, colorScheme, javaScriptEnabled: true })
}

it('the template is what its source compiles to (npm run mail)', async () => {
  expect(readFileSync(compiledFile, 'utf8')).toBe(await compileLetter())
})

describe.each(kinds)('a mail, %s', (kind) => {
  it.each(locales)('has the same address, steps and reasons in text and HTML: %s', (locale) => {
    const feed = { ...content.feed, locale }
    const sender = branded({ name: 'Brand' }, 'Example Ltd')
    const { subject, text, html } = composeLetter({ ...content, kind, sender, feed })
    expect(subject).toMatch(/ (?:at|bei) Example Ltd/)
    expect(text).toMatch(new RegExp(`\n${page}\n\n1\\. .+\n2\\. .+\n3\\. .+\n\n`))
    expect(html).toContain(`<html lang="${locale}" dir="ltr"`)
    expect(html.match(/<li\b/g)).toHaveLength(3)
    expect(html.split(`href="${page}"`)).toHaveLength(3)
    expect(html).toContain(`>${page}</a>`)
    for (const said of text.split('\n').slice(4))
      expect(html).toContain(said.replace(/^\d\. |^.+:$/, ''))
    expect(text).toMatch(/ (?:at|bei) Example Ltd.*\n.* Brand .*calendar\.example\.com\.\n$/)
    expect(html.length).toBeLessThan(30_000)
  })
})

describe('a mail', () => {
  it.each([
    [nobody, 'Your work calendar', 'Work calendars'],
    [branded({}, 'Example Ltd'), 'Your work calendar at Example Ltd', 'Example Ltd'],
    [branded({ name: 'Brand' }), 'Your work calendar at Brand', 'Brand'],
    [branded({ name: 'Brand' }, 'Example Ltd'), 'Your work calendar at Example Ltd', 'Brand'],
  ])('is in the name that is known: %#', (sender, subject, heading) => {
    const letter = composeLetter({ ...content, sender })
    expect(letter.subject).toBe(subject)
    expect(letter.html).toContain(`>${heading}</span>`)
  })

  it('names no company by its id', () => {
    const names = { main: 'main', acme: 'Acme Ltd' }
    const connections = new Map(
      Object.entries(names).map(([id, name]) => [id, { company: { name } }]),
    )
    const companies = ['main', 'acme', 'gone'].map(
      (id) => senderOf({ brandOf: () => noBrand, connections }, id).company,
    )
    expect(companies).toEqual([null, 'Acme Ltd', null])
  })

  it('shows a PNG, and the name instead of an SVG', () => {
    const logo = { type: 'image/png', bytes: png, width: 1, height: 1 } as const
    const shown = composeLetter({ ...content, sender: branded({ name: 'Brand', logo }) })
    expect(shown.logo).toBe(png)
    expect(shown.html).toContain('<img src="cid:logo@letter" width="1" height="1" alt="Brand"')
    const svg = { ...logo, type: 'image/svg+xml', bytes: Buffer.from('<svg/>') } as const
    const named = composeLetter({ ...content, sender: branded({ name: 'Brand', logo: svg }) })
    expect(named.logo).toBeNull()
    expect(named.html).not.toMatch(/<img|svg/)
    expect(named.html).toContain('>Brand</span>')
  })

  it('keeps names as text', async () => {
    const hostile = `<b id="x">"'&amp;</b><img src=//evil.example/x><%= it.page %>`
    const { html } = composeLetter({
      ...content,
      sender: branded({ name: `${hostile}1` }, `${hostile}2`),
      firstName: `${hostile}3`,
      feed: { ...content.feed, name: `${hostile}4` },
    })
    const visited = await open(html)
    expect(await visited.page.locator('b, img').count()).toBe(0)
    for (const end of [1, 2, 3, 4])
      expect(await visited.page.innerText('body')).toContain(`${hostile}${end}`)
    await visited.close()
  })
})

describe.each(['light', 'dark'] as const)('a mail on a small %s screen', (scheme) => {
  it.each(locales)('is accessible, fits and loads nothing: %s', async (locale) => {
    const image = { type: 'image/png', bytes: png, width: 1, height: 1 } as const
    const logo = locale === 'de' ? image : null
    const sender = branded({ name: 'Brand', color: '#ffd400', logo })
    const { html } = composeLetter({ ...content, sender, feed: { ...content.feed, locale } })
    const addresses = [...html.matchAll(/\s(?:href|src|background|action|srcset)="([^"]*)"/g)]
    const known = locale === 'de' ? ['cid:logo@letter', page, page] : [page, page]
    expect(addresses.map(([, address]) => address)).toEqual(known)
    expect(html).not.toMatch(/url\(|@import|<link|<script|<form|\.ics/)
    const visited = await open(html, scheme)
    expect(await violations(visited.page)).toEqual([])
    expect(await visited.page.evaluate('document.documentElement.scrollWidth')).toBe(320)
    expect(visited.requests.filter((url) => /^https?:/.test(url))).toEqual([])
    await visited.close()
  })
})
