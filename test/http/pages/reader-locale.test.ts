import { expect, it } from 'vitest'

import { isOnPhone } from '../../../src/http/pages/subscribe.ts'
import { readerLocale } from '../../../src/http/pages/times.ts'

const sunday = 0
const monday = 1

it.each([
  ['en-US,en;q=0.9', 'en-GB', 'en-US', sunday],
  ['en-GB,en;q=0.9', 'en-GB', 'en-GB', monday],
  ['de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7', 'en-GB', 'en-DE', monday],
  ['de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7', 'de', 'de-DE', monday],
  ['en-US', 'de', 'de-US', sunday],
  ['zh-Hant-TW,zh;q=0.9', 'en-GB', 'en-TW', sunday],
  ['en', 'en-GB', 'en-GB', monday],
  ['', 'de', 'de', monday],
  ['*', 'de', 'de', monday],
  ['x-y-z,%%%,en-USA', 'en-GB', 'en-GB', monday],
])(
  'a reader who accepts "%s" gets a page in %s with the locale %s',
  (accepted, usual, tag, firstDay) => {
    const languages = accepted.split(',').map((one) => one.replace(/;.*/, ''))
    const request = { acceptsLanguages: () => languages } as Parameters<typeof readerLocale>[0]
    expect(readerLocale(request, usual)).toEqual({ tag, firstDay })
  },
)

it.each([
  ['Mozilla/5.0 (Linux; Android 16; Pixel 9)', true],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)', true],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', false],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64)', false],
])('%s is recognized as a phone: %s', (agent, isPhone) => {
  expect(isOnPhone({ 'user-agent': agent })).toBe(isPhone)
})
