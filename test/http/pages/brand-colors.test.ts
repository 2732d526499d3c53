/* Whatever colour a company has, its pages can be read. */
import { readFileSync } from 'node:fs'

import { assert, integer, property } from 'fast-check'
import { describe, expect, it } from 'vitest'

import { contrast } from '../../../src/domain/contrast.ts'
import { brandStyle, schemeColors } from '../../../src/http/pages/brand-colors.ts'

const folder = new URL('../../../src/', import.meta.url)
const css = ['web/pages/assets/page.css', 'http/pages/assets/feed-page.css']
  .map((file) => readFileSync(new URL(file, folder), 'utf8'))
  .join('\n')

/** What pages put text on: what the style sheets call a ground or a surface, by day and by night. */
const grounds = {
  light: groundsIn(/^:root \{([^}]*)\}/m),
  dark: groundsIn(/^@media screen and \(prefers-color-scheme: dark\) \{\s*:root \{([^}]*)\}/m),
} as const

function groundsIn(block: RegExp): readonly string[] {
  const [, variables = ''] = block.exec(css) ?? []
  const found = variables.matchAll(/--(?:[\w-]*ground|surface): (#[\da-f]+);/g)
  return [...found].map(([, color = '']) => color.replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3'))
}

function check(color: string): void {
  for (const scheme of ['light', 'dark'] as const) {
    const shades = schemeColors(color, scheme)
    expect(contrast(shades.buttonText, shades.button)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(shades.buttonText, shades.buttonHover)).toBeGreaterThanOrEqual(4.5)
    expect(contrast('#ffffff', shades.check)).toBeGreaterThanOrEqual(4.5)
    for (const ground of grounds[scheme]) {
      expect(contrast(shades.text, ground)).toBeGreaterThanOrEqual(4.5)
      expect(contrast(shades.textHover, ground)).toBeGreaterThanOrEqual(4.5)
      expect(contrast(shades.buttonBorder, ground)).toBeGreaterThanOrEqual(3)
    }
  }
}

const colors = integer({ min: 0, max: 0xff_ff_ff }).map(
  (value) => `#${value.toString(16).padStart(6, '0')}`,
)

describe('the shades of a brand colour', () => {
  it('keep their contrast on every ground', () => {
    expect([grounds.light.length, grounds.dark.length]).toEqual([4, 4])
    assert(property(colors, check))
  })

  it.each(['#ffffff', '#000000', '#ffff00', '#ff0000', '#0000ff', '#777777', '#767676'])(
    'keep their contrast for %s',
    check,
  )

  it('are the colour itself where it can be read', () => {
    expect(schemeColors('#0a5c8f', 'light')).toMatchObject({
      text: '#0a5c8f',
      button: '#0a5c8f',
      buttonText: '#ffffff',
      buttonBorder: '#0a5c8f',
    })
    expect(schemeColors('#ffd500', 'dark')).toMatchObject({
      text: '#ffd500',
      button: '#ffd500',
      buttonText: '#000000',
    })
  })

  it('replace only variables and signs of Pico', () => {
    const [selectors, variables] = [/^ *([^\s{}][^{}\n]*) \{$/gm, /--([\w-]+):/g].map(
      (pattern) => new Set([...brandStyle('#0a5c8f').matchAll(pattern)].map(([, found]) => found)),
    )
    expect([...(selectors ?? [])]).toEqual([
      ':root',
      '@media screen and (prefers-color-scheme: dark)',
      "[type='checkbox']:checked",
      "[type='radio']:checked",
    ])
    for (const variable of variables ?? []) expect(variable).toMatch(/^(?:pico|brand)-/)
  })
})
