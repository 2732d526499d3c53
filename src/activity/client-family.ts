import type { ClientFamily } from '../domain/activity.ts'

/** In order: what calls itself a browser too comes before the browsers. */
const families: readonly (readonly [ClientFamily, RegExp])[] = [
  ['google', /Google-Calendar-Importer|Google-iCal/i],
  ['nextcloud', /Nextcloud/i],
  ['home-assistant', /Home ?Assistant/i],
  ['icsx5', /ICSx5|icsdroid/i],
  ['thunderbird', /Thunderbird|Lightning\//i],
  ['outlook', /Microsoft[ .](?:Office|Outlook|Exchange)|Outlook|MSOffice|\bExchange\//i],
  ['apple', /CalendarAgent|dataaccessd|accountsd|remindd|iCal\/|calaccessd|^(?:iOS|mac ?OS)\b/i],
  ['browser', /^Mozilla\/5\.0 \(/i],
]

/** The family of calendar programs that a `User-Agent` (RFC 9110 section 10.1.5) speaks of. */
export function clientFamily(userAgent: string | undefined): ClientFamily {
  return families.find(([, pattern]) => pattern.test(userAgent ?? ''))?.[0] ?? 'other'
}
