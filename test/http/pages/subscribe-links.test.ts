import { expect, it } from 'vitest'

import { likelyWay, isReachable, subscribeLinks } from '../../../src/http/pages/subscribe.ts'

const googlePlay = 'https://play.google.com/store/apps/details?id=at.bitfire.icsdroid'
const token = `cfb_${'a'.repeat(43)}`

it('every link has the form that its calendar program needs, for an https address with a path', () => {
  const links = subscribeLinks('https://calendar.example.com/hr/calendars', token, 'Ada’s & Bob’s')
  const address = `https://calendar.example.com/hr/calendars/feeds/${token}/adas-bobs.ics`
  expect(links).toEqual({
    address,
    apple: address.replace('https:', 'webcal:'),
    icsx5: `intent${address.slice(5)}#Intent;scheme=webcals;package=at.bitfire.icsdroid;S.browser_fallback_url=${encodeURIComponent(googlePlay)};end`,
    googlePlay,
    fDroid: 'https://f-droid.org/packages/at.bitfire.icsdroid/',
    google: 'https://calendar.google.com/calendar/r/settings/addbyurl',
    outlookWork: `https://outlook.office.com/calendar/0/addfromweb?url=${encodeURIComponent(address)}&name=Ada%E2%80%99s+%26+Bob%E2%80%99s`,
    outlookCom: `https://outlook.live.com/calendar/0/addfromweb?url=${encodeURIComponent(address)}&name=Ada%E2%80%99s+%26+Bob%E2%80%99s`,
    download: `${address}?download`,
  })
})

it.each([
  ['https://calendar.example.com/x', true],
  ['http://calendar.example.com', false],
  ['https://localhost:8443', false],
  ['https://127.0.0.1', false],
  ['https://[::1]:8080', false],
])('%s is reachable from elsewhere: %s', (publicUrl, reachable) => {
  expect(isReachable(publicUrl)).toBe(reachable)
})

it.each([
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)', 'apple'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 'apple'],
  ['Mozilla/5.0 (Linux; Android 16; Pixel 9)', 'icsx5'],
  ['Mozilla/5.0 (X11; CrOS x86_64 14541.0.0)', 'google'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64)', 'outlook'],
  ['Mozilla/5.0 (X11; Linux x86_64)', 'copy'],
])('%s is offered %s first', (agent, way) => {
  expect(likelyWay({ 'user-agent': agent }, true)).toBe(way)
})

it('the platform that a browser states counts more than its name', () => {
  const headers = {
    'sec-ch-ua-platform': '"Android"',
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)',
  }
  expect(likelyWay(headers, true)).toBe('icsx5')
  expect(likelyWay({ ...headers, 'sec-ch-ua-platform': '"Chromium OS"' }, true)).toBe('google')
})

it('a service that cannot reach the calendar is never offered first', () => {
  expect(likelyWay({ 'user-agent': 'Windows' }, false)).toBe('copy')
  expect(likelyWay({ 'user-agent': 'iPhone' }, false)).toBe('apple')
  expect(likelyWay({}, true)).toBe('copy')
})
