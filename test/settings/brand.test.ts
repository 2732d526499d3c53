/* The settings of a brand, and which images a logo may be. */
import { Buffer } from 'node:buffer'
import { resolve } from 'node:path'

import { describe, expect, it } from 'vitest'

import { noBrand } from '../../src/domain/brand.ts'
import { readEnvironmentFile } from '../../src/settings/environment.ts'
import { readSettings, type Settings } from '../../src/settings/read-settings.ts'
import { faultsOf, fileOf, read } from '../support/settings/environment.ts'

const size = 'viewBox="0 0 24 24"'
const xmlns = 'xmlns="http://www.w3.org/2000/svg"'
const svg = `<svg ${xmlns} ${size}><path d="M1 1h2"/></svg>`

function png(width = 64, height = 32): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  const start = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13])
  return Buffer.concat([start, Buffer.from('IHDR'), header])
}

function withLogo(content: string | Buffer): Settings {
  return readSettings({ BRAND_LOGO: 'logo' }, () => Buffer.from(content))
}

function ruleOf(content: string | Buffer): string {
  try {
    withLogo(content)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const [, rule = ''] = /^BRAND_LOGO must name (.*), unlike (?:.*)\.$/.exec(error.message) ?? []
    expect(error.message).toContain(resolve('logo'))
    return rule
  }
  return 'right'
}

const active =
  'an SVG file without scripts, event handlers, foreignObject, DTD and references to other files'

describe('a logo', () => {
  it.each([
    ['SVG', svg],
    ['SVG with a declaration and a comment', `<?xml version="1.0"?>\n<!-- <script> -->\n${svg}\n`],
    ['SVG with a byte order mark', `\uFEFF${svg}`],
    ['SVG with a prefix', `<s:svg xmlns:s="http://www.w3.org/2000/svg" ${size}/>`],
    ['SVG with width and height', `<svg ${xmlns} width="64px" height="32"></svg>`],
    ['SVG with styles', `<svg ${size}><style>.a{fill:url(#b)}</style><use href="#b"/></svg>`],
    ['SVG with an image within', `<svg ${size}><image href="data:image/png;base64,AA"/></svg>`],
    ['PNG', png()],
  ])('%s', (name, content) => {
    const { logo } = withLogo(content).brand
    expect(logo?.type).toBe(name === 'PNG' ? 'image/png' : 'image/svg+xml')
    expect(Buffer.from(logo?.bytes ?? []).equals(Buffer.from(content))).toBe(true)
  })

  it.each([
    ['a script', `<svg ${size}><script>alert(1)</script></svg>`],
    ['a script with a prefix', `<svg ${size}><x:ScRiPt xmlns:x="y"/></svg>`],
    ['an event handler', `<svg ${size} onload="alert(1)"/>`],
    ['an event handler in an element', `<svg ${size}><g OnClick='x'/></svg>`],
    ['foreignObject', `<svg ${size}><foreignObject/></svg>`],
    ['a DTD', `<!DOCTYPE svg [<!ENTITY a "b">]><svg ${size}/>`],
    ['an external DTD', `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x.dtd"><svg ${size}/>`],
    ['CDATA', `<svg ${size}><style><![CDATA[a]]></style></svg>`],
    ['a style sheet', `<?xml-stylesheet href="x.css"?><svg ${size}/>`],
    ['an external image', `<svg ${size}><image href="https://evil.example/a.png"/></svg>`],
    ['an external use', `<svg ${size}><use xlink:href="other.svg#a"/></svg>`],
    ['a link that runs', `<svg ${size}><a href="&#106;avascript:alert(1)"/></svg>`],
    ['an SVG within', `<svg ${size}><image href="data:image/svg+xml,x"/></svg>`],
    ['an external fill', `<svg ${size}><path fill="url(https://evil.example)"/></svg>`],
    ['an external fill in quotes', `<svg ${size}><path fill="url( &#34;//e.example&#34;)"/></svg>`],
    ['an import', `<svg ${size}><style>@import 'x.css'</style></svg>`],
    ['an import in escapes', `<svg ${size}><style>\\40 import 'x.css'</style></svg>`],
    ['an animation', `<svg ${size}><set attributeName="href" to="x"/></svg>`],
    ['another base', `<svg ${size} xml:base="https://evil.example/"/>`],
  ])('an SVG with %s is refused', (_, content) => {
    expect(ruleOf(content)).toBe(active)
  })

  it.each([
    ['nothing', '', 'an SVG or PNG file'],
    ['HTML', '<!doctype html><html></html>', 'an SVG or PNG file'],
    ['JPEG', Buffer.from([255, 216, 255, 224]), 'an SVG or PNG file'],
    ['a PNG that ends early', png().subarray(0, 20), 'a whole PNG file'],
    ['a PNG without size', png(0, 1), 'a whole PNG file'],
    [
      'an SVG without size',
      `<svg ${xmlns}/>`,
      'an SVG file with a viewBox, or with width and height',
    ],
    ['an SVG that is not closed', `<svg ${size}><g></svg>`, 'an SVG file that is well-formed XML'],
    ['an SVG with a loose <', `<svg ${size}>a < b</svg>`, 'an SVG file that is well-formed XML'],
    ['what is too large', `${svg}${' '.repeat(204_800)}`, 'an image of at most 200 KB'],
  ])('%s is refused', (_, content, rule) => {
    expect(ruleOf(content)).toBe(rule)
  })

  it('that is missing is named with its path', () => {
    const [sentence = '', ...others] = faultsOf({ BRAND_LOGO: 'missing.svg' })
    expect(others).toEqual([])
    expect(sentence).toMatch(/^BRAND_LOGO must name an SVG or PNG file\. .*missing\.svg/)
  })
})

describe('a brand', () => {
  it('is nothing by default, and for the bridge what is set', () => {
    expect(readSettings({}).brand).toEqual(noBrand)
    const environment = { BRAND_NAME: ' ACME ', BRAND_COLOR: '#0A5C8F' }
    expect(readSettings(environment).brand).toEqual({ ...noBrand, name: 'ACME', color: '#0a5c8f' })
  })

  it('has no colour that .env takes for a comment', () => {
    const inFile = readEnvironmentFile(() => Buffer.from('BRAND_COLOR=#0a5c8f\n'))
    expect(() => readSettings(inFile, undefined, Object.keys(inFile))).toThrow(
      "BRAND_COLOR must be in quotes in .env, where # begins a comment: BRAND_COLOR='#0a6ebd'.",
    )
    const quoted = readEnvironmentFile(() => Buffer.from("BRAND_COLOR='#0a5c8f'\n"))
    expect(readSettings(quoted, undefined, Object.keys(quoted)).brand.color).toBe('#0a5c8f')
  })

  it('is of each company what its entry sets', async () => {
    const company = { id: 'north', baseUrl: 'https://n.example', timezone: 'UTC' }
    const brand = { name: 'North', color: '#ff0000' }
    const { companies } = read({ COMPANIES_FILE: await fileOf([{ ...company, brand }]) })
    expect(companies?.[0]?.brand).toEqual({ ...noBrand, ...brand })
    const wrong = { logo: 'missing.svg', color: 'red', colour: '#ff0000' }
    const file = await fileOf([{ ...company, brand: wrong }])
    expect(faultsOf({ COMPANIES_FILE: file })).toEqual([
      'COMPANIES_FILE: brand.color of company 1 (north) must be a colour as #rrggbb, such as #0a6ebd.',
      'COMPANIES_FILE: brand of company 1 (north) must not hold "colour"; did you mean `color`?',
    ])
    const lost = await fileOf([{ ...company, brand: { logo: 'missing.svg' } }])
    expect(faultsOf({ COMPANIES_FILE: lost })).toEqual([
      expect.stringMatching(/^COMPANIES_FILE: brand\.logo of company 1 \(north\) must name an SVG/),
    ])
  })

  it.each([
    ['BRAND_COLOR', 'red', 'must be a colour as #rrggbb, such as #0a6ebd'],
    ['BRAND_COLOR', '#fff', 'must be a colour as #rrggbb, such as #0a6ebd'],
    ['BRAND_NAME', 'two\nlines', 'must be one line of 1 to 60 characters'],
    ['BRAND_NAME', 'x'.repeat(61), 'must be one line of 1 to 60 characters'],
  ])('%s=%s is refused', (name, value, rule) => {
    expect(faultsOf({ [name]: value })).toEqual([`${name} ${rule}.`])
  })
})

describe('public holidays', () => {
  const elsewhere = { id: 'north', baseUrl: 'https://n.example', timezone: 'UTC' }

  it('are named by places in any case', async () => {
    const { company } = readSettings({ WORKFORCE_HOLIDAYS: 'de-by, ZA,us-la-no' }).embedded
    expect(company.company.holidays).toEqual(['DE-BY', 'ZA', 'US-LA-NO'])
    const entry = { ...elsewhere, holidays: ['ZA'], scheduleHolidays: { sch_a: ['de'], sch_b: [] } }
    const { companies } = read({ COMPANIES_FILE: await fileOf([entry]) })
    expect(companies?.[0]?.company).toMatchObject({
      holidays: ['ZA'],
      scheduleHolidays: { sch_a: ['DE'], sch_b: [] },
    })
  })

  it.each([
    ['DE-XX', ': use DE, DE-BB, DE-BE, DE-BW, DE-BY, '],
    ['DE-BY-XX', ': use DE-BY, DE-BY-A, DE-BY-KATH, DE-BY-EVANG.'],
    ['ZA-GT', ': use ZA.'],
    ['DEU', '; did you mean `DE`?'],
    ['Bavaria', '; there are AD, AE, '],
  ])('%s is refused', (place, instead) => {
    const [sentence, ...others] = faultsOf({ WORKFORCE_HOLIDAYS: `DE,${place}` })
    expect(others).toEqual([])
    const start = 'WORKFORCE_HOLIDAYS.1 must be a place with public holidays'
    expect(sentence?.slice(0, start.length + instead.length)).toBe(start + instead)
  })

  it('are checked per schedule, too', async () => {
    const entry = { ...elsewhere, holidays: 'ZA', scheduleHolidays: { sch_a: ['ZA-X'] } }
    expect(faultsOf({ COMPANIES_FILE: await fileOf([entry]) })).toEqual([
      'COMPANIES_FILE: holidays of company 1 (north) must be of type array.',
      'COMPANIES_FILE: scheduleHolidays.sch_a[0] of company 1 (north) must be a place with public holidays: use ZA.',
    ])
  })
})
