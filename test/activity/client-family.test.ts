import { expect, it } from 'vitest'

import { clientFamily } from '../../src/activity/activity-recorder.ts'

const chrome =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36'

it.each([
  ['google', 'Google-Calendar-Importer'],
  ['outlook', 'Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.17328; Pro)'],
  ['outlook', 'Microsoft.Exchange/15.20 (Windows NT 10.0; Win64; x64)'],
  ['outlook', 'Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; Microsoft Outlook 16.0.4266)'],
  ['outlook', 'Outlook-iOS/2.0'],
  ['apple', 'macOS/15.1 (24B83) CalendarAgent/1001'],
  ['apple', 'Mac+OS+X/10.15.7 (19H2) CalendarAgent/930.5.1'],
  ['apple', 'iOS/18.1 (22B83) dataaccessd/1.0'],
  ['apple', 'iOS/12.5.7 (16H81) accountsd/1.0'],
  ['apple', 'DAVKit/4.0.1 (730); CalendarStore/4.0.1 (973); iCal/4.0.1 (1374); Mac OS X/10.6.1'],
  ['thunderbird', 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.4.0'],
  ['icsx5', 'ICSx5/2.2.4 (ical4j/3.2.19 okhttp/4.12.0 Android/14)'],
  ['davx5', 'DAVx5/4.5.6-ose (dav4jvm; okhttp/5.1.0) Android/16'],
  ['gnome', 'Evolution/3.46.4'],
  ['nextcloud', 'Nextcloud Webcal Service'],
  ['nextcloud', 'Nextcloud Webcal Crawler'],
  ['home-assistant', 'HomeAssistant/2025.11.1 httpx/0.28.1 Python/3.13'],
  ['browser', chrome],
  [
    'browser',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1',
  ],
  ['other', 'curl/8.10.1'],
  ['other', ''],
  ['other', undefined],
] as const)('%s: %s', (family, userAgent) => {
  expect(clientFamily(userAgent)).toBe(family)
})
