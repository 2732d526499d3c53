/* Whose pages they are: name, logo and colour of the bridge and of its companies. */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'

import { calendarUrl, startBridge, type TestBridge } from '../../support/bridge/bridge.ts'
import { openContext, sharedChromium } from '../../support/web/chromium.ts'
import { violations } from '../../support/web/visit.ts'

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z" fill="#123"/></svg>'
/** One pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

function file(name: string, content: string | Buffer): string {
  const whole = path.join(inject('temporaryFolder'), `${randomBytes(8).toString('hex')}-${name}`)
  writeFileSync(whole, content)
  return whole
}

const company = { baseUrl: 'http://127.0.0.1:9', timezone: 'UTC' }
const ownBrand = { name: 'South <Ltd>', color: '#ffff00', logo: file('b.png', png) }

let bridge: TestBridge
let feeds: Readonly<Record<'north' | 'south', string>>

beforeAll(async () => {
  const companies = [
    { ...company, id: 'north', name: 'North GmbH' },
    { ...company, id: 'south', brand: ownBrand },
  ]
  const environment = {
    COMPANIES_FILE: file('companies.json', JSON.stringify(companies)),
    BRAND_LOGO: file('a.svg', svg),
  }
  bridge = await startBridge({ environment })
  const page = async (companyId: string): Promise<string> => {
    const feed = await bridge.createFeed({ companyId, userIds: ['usr_a'] })
    return calendarUrl(feed).replace(/\/[^/]*$/, '')
  }
  feeds = { north: await page('north'), south: await page('south') }
})

afterAll(() => bridge.close())

interface Branded {
  readonly title: string | undefined
  readonly name: string | undefined
  readonly logo: string | undefined
  readonly style: string | undefined
}

async function brandOn(address: string): Promise<Branded> {
  const text = await (await fetch(address)).text()
  const [, header = ''] = /<header class="site">(.*?)<\/header>/s.exec(text) ?? []
  return {
    title: /<title>([^<]*)</.exec(text)?.[1],
    name: /<span>([^<]*)</.exec(header)?.[1],
    logo: /<img src="([^"]*)" alt="">/.exec(header)?.[1],
    style: /<link rel="stylesheet" href="(\/assets\/brand[^"]*)">/.exec(text)?.[1],
  }
}

describe('pages', () => {
  it('of a company have its name, and what it leaves out is the bridge’s', async () => {
    const [north, south, front] = [
      await brandOn(feeds.north),
      await brandOn(feeds.south),
      await brandOn(`${bridge.url}/`),
    ]
    expect(north).toMatchObject({
      title: 'Your work calendar · North GmbH',
      name: 'North GmbH',
      logo: expect.stringMatching(/\.svg$/),
      style: undefined,
    })
    expect(south).toMatchObject({
      name: 'South &lt;Ltd&gt;',
      logo: expect.stringMatching(/\.png$/),
      style: expect.stringMatching(/\.css$/),
    })
    expect(front).toMatchObject({ title: 'Work calendars', name: 'Work calendars' })
    expect(front.logo).toBe(north.logo)
  })

  it.each([
    ['neutral without settings', {}, 'Work calendars'],
    ['with the only company’s name', { WORKFORCE_NAME: 'Northwind' }, 'Northwind'],
    [
      'with the brand’s name',
      { WORKFORCE_NAME: 'Northwind', BRAND_NAME: 'Calendars' },
      'Calendars',
    ],
  ])('are %s', async (_, environment, name) => {
    const other = await startBridge({ environment })
    const found = await brandOn(`${other.url}/`)
    await other.close()
    expect(found).toMatchObject({ name, logo: undefined, style: undefined })
  })

  it('have a path prefix in the addresses of a brand', async () => {
    const environment = {
      PUBLIC_URL: 'http://127.0.0.1/work',
      BRAND_LOGO: file('a.svg', svg),
      BRAND_COLOR: '#0a5c8f',
    }
    const other = await startBridge({ environment })
    const text = await (await fetch(`${other.listensAt}/`)).text()
    await other.close()
    expect(text.match(/"\/work\/assets\/brand\/[\w-]{16}\.(?:svg|css)"/g)).toHaveLength(2)
  })
})

describe('the files of a brand', () => {
  it('are kept for good, as what they are, and an SVG can do nothing', async () => {
    for (const { logo, style } of [await brandOn(feeds.north), await brandOn(feeds.south)]) {
      for (const address of [logo, style]) {
        if (address === undefined) continue
        const { status, headers } = await fetch(bridge.url + address)
        const type = { svg: 'image/svg+xml', png: 'image/png', css: 'text/css; charset=utf-8' }
        expect([status, headers.get('content-type')]).toEqual([
          200,
          Object.entries(type).find(([ending]) => address.endsWith(ending))?.[1],
        ])
        expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
        expect(headers.get('x-content-type-options')).toBe('nosniff')
        const policy = headers.get('content-security-policy') ?? ''
        expect(policy).toContain("default-src 'none'")
        if (address.endsWith('svg')) expect(policy).toMatch(/; sandbox$/)
      }
    }
  })

  it('are no others', async () => {
    const { status } = await fetch(`${bridge.url}/assets/brand/x.svg`)
    expect(status).toBe(404)
  })
})

describe('a page with logo and colour', () => {
  it.each([
    ['light', '#ffd500'],
    ['dark', '#000033'],
  ] as const)('is without axe violations: %s, %s', async (colorScheme, color) => {
    const environment = {
      BRAND_NAME: 'Northwind Traders and Partners, Limited, of the North',
      BRAND_LOGO: file('a.svg', svg),
      BRAND_COLOR: color,
    }
    const other = await startBridge({ environment })
    const viewport = { width: 320, height: 800 }
    const context = await openContext(await sharedChromium(), { colorScheme, viewport })
    const page = await context.newPage()
    const messages: string[] = []
    page.on('console', (message) => messages.push(message.text()))
    await page.goto(
      calendarUrl(await other.createFeed({ userIds: ['usr_ada'] })).replace(/\/[^/]*$/, ''),
    )
    await page.locator('#calendar .state').waitFor({ state: 'detached' })
    expect(await violations(page)).toEqual([])
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(320)
    expect(
      await page.evaluate<number>('document.querySelector(".site img").naturalWidth'),
    ).not.toBe(0)
    expect(messages).toEqual([])
    await context.close()
    await other.close()
  })
})
