import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { readableOn, withContrast } from '../../src/domain/contrast.ts'

describe('the text color on a background', () => {
  it.each([
    ['#ffffff', '#000000'],
    ['#000000', '#ffffff'],
    ['#0172ad', '#ffffff'],
    ['#ffd400', '#000000'],
    ['#757575', '#ffffff'],
    ['#777777', '#000000'],
  ])('on %s is %s', (background, text) => {
    expect(readableOn(background)).toBe(text)
  })

  it('always has enough contrast', () => {
    fc.assert(
      fc.property(color, (background) => {
        const text = readableOn(background)
        expect(withContrast(text, background, 4.5)).toBe(text)
      }),
    )
  })
})

describe('a color with contrast', () => {
  it.each([
    ['#0172ad', '#ffffff', 4.5, '#0172ad'],
    ['#767676', '#ffffff', 4.5, '#767676'],
    ['#777777', '#ffffff', 4.5, '#767676'],
    ['#ffffff', '#ffffff', 21, '#000000'],
    ['#000000', '#1a202b', 3, '#6b6b6b'],
  ])('%s on %s with %d becomes %s', (given, background, ratio, expected) => {
    expect(withContrast(given, background, ratio)).toBe(expected)
  })

  it('is reached on every background', () => {
    fc.assert(
      fc.property(color, color, (given, background) => {
        const found = withContrast(given, background, 4.5)
        expect(found).toMatch(/^#[0-9a-f]{6}$/)
        expect(withContrast(found, background, 4.5)).toBe(found)
      }),
    )
  })
})

const color = fc
  .integer({ min: 0, max: 0xffffff })
  .map((rgb) => `#${rgb.toString(16).padStart(6, '0')}`)
