import { describe, expect, it } from 'vitest'

import { isVisible, plainText, cutText } from '../../src/text/plain-text.ts'

const family = '👩‍👩‍👧‍👦'

describe('a cleaned text without control characters, lone surrogates or extra line breaks', () => {
  it.each([
    ['a\r\nb', 'a b', 'a\nb'],
    ['a\rb\nc', 'a b c', 'a\nb\nc'],
    ['a\u0085b\u2028c\u2029d', 'a b c d', 'a\nb\nc\nd'],
    ['a\n\rb', 'a  b', 'a\n\nb'],
    ['a\u0000\u0008\u000B\u000C\u000E\u001F\u007F\u0080\u009Fb', 'ab', 'ab'],
    ['a\tb', 'a\tb', 'a\tb'],
    ['\uFEFFa\uFFFE\uFDD0b\u{1FFFF}', 'ab', 'ab'],
    ['a\uD800b\uDC00c😀', 'abc😀', 'abc😀'],
    ['\uDC00\uD800', '', ''],
    ['<b>x</b> &amp; y', '<b>x</b> &amp; y', '<b>x</b> &amp; y'],
  ])('%j becomes the line %j or the lines %j', (text, line, lines) => {
    expect(plainText(text, ' ')).toBe(line)
    expect(plainText(text, '\n')).toBe(lines)
  })

  it('No forbidden character remains, whatever the code unit', () => {
    const units = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit)).join(' ')
    expect(plainText(units, '\n')).not.toMatch(
      /(?![\t\n])\p{Cc}|\p{Cs}|[\u2028\u2029\uFEFF]|\p{Noncharacter_Code_Point}/u,
    )
    expect(plainText(units, ' ')).not.toContain('\n')
  })
})

describe('a text cut between two graphemes', () => {
  it.each([
    ['short', 10, 'short'],
    ['exactly ten', 11, 'exactly ten'],
    [`${'x'.repeat(8)}${family}`, 10, 'x'.repeat(8)],
    [`${'x'.repeat(8)}${family}y`, 8 + family.length, `${'x'.repeat(8)}${family}`],
    ['e\u0301'.repeat(3), 5, 'e\u0301'.repeat(2)],
    ['🇩🇪🇫🇷🇮🇹', 9, '🇩🇪🇫🇷'],
    [`a${'\u0301'.repeat(300)}`, 255, `a${'\u0301'.repeat(254)}`],
    [`${'x'.repeat(254)}😀`, 255, 'x'.repeat(254)],
  ])('%j at %d', (text, lengthMax, expected) => {
    expect(cutText(text, lengthMax)).toBe(expected)
  })

  it('Half a code point never remains, even within an endless grapheme', () => {
    const endless = '😀\u200D'.repeat(200)
    expect(cutText(endless, 256).isWellFormed()).toBe(true)
    expect(cutText(endless, 256).length).toBeGreaterThan(200)
  })

  it('Cuts a text of 100 KB', () => {
    expect(cutText(family.repeat(10_000), 255)).toBe(family.repeat(Math.floor(255 / family.length)))
  })
})

describe('a visible title', () => {
  it.each([
    ['', false],
    [' \t\u00A0\u3000', false],
    ['\u200B\u200D\uFEFF\u2060', false],
    ['\u0301', false],
    ['x', true],
    ['😀', true],
    ['—', true],
  ])('%j: %s', (text, expected) => {
    expect(isVisible(text)).toBe(expected)
  })
})
