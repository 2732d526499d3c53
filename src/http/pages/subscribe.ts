import type { Request } from 'express'
import { toString as drawCode } from 'qrcode'

import { feedUrl, pageUrl } from '../../feeds/feed-view.ts'
import { isolated } from '../../text/plain-text.ts'

/** Ways to subscribe, in the order of the page. */
const ways = ['apple', 'google', 'outlookWork', 'outlookCom', 'copy', 'download'] as const

export type Way = (typeof ways)[number]

/**
 * Returns the best way for the device, from the platform that the browser reports; the page shows all others beside it.
 * `reachable`: whether servers elsewhere can fetch the calendar.
 */
export function likelyWay(headers: Request['headers'], reachable: boolean): Way {
  const platform = platformOf(headers)
  if (/iPhone|iPad|iOS|mac/i.test(platform)) return 'apple'
  if (!reachable) return 'copy'
  if (/Android|CrOS|Chrom(e|ium) OS/i.test(platform)) return 'google'
  return /Windows/i.test(platform) ? 'outlookWork' : 'copy'
}

/** Whether the page is open on a phone, where calendar programs can do less. */
export function isOnPhone(headers: Request['headers']): boolean {
  return /Android|iPhone|iPad|iOS/i.test(platformOf(headers))
}

function platformOf(headers: Request['headers']): string {
  return String(headers['sec-ch-ua-platform'] ?? headers['user-agent'])
}

/** Whether servers elsewhere, such as Google's and Microsoft's, could reach the address. */
export function isReachable(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl)
  return protocol === 'https:' && !/^(localhost|127\.|\[::1\])/.test(hostname)
}

/**
 * Returns the addresses for subscribing. Apple accepts `webcal`, never `webcals`. Google gets its form for pasting a copied
 * address, since its `?cid=` shortcut is unreliable. Both Outlooks take the address and a name.
 */
export function subscribeLinks(
  publicUrl: string,
  token: string,
  name: string,
): Readonly<Record<'address' | Exclude<Way, 'copy'>, string>> {
  const address = feedUrl(publicUrl, token, name)
  const outlook = `/calendar/0/addfromweb?${new URLSearchParams({ url: address, name }).toString()}`
  return {
    address,
    apple: address.replace(/^https?:/, 'webcal:'),
    google: 'https://calendar.google.com/calendar/r/settings/addbyurl',
    outlookWork: `https://outlook.office.com${outlook}`,
    outlookCom: `https://outlook.live.com${outlook}`,
    download: `${address}?download`,
  }
}

/**
 * Returns what a page shows for subscribing: addresses and codes, the best way for the device, and the other ways. A
 * download is offered only while the calendar can be served.
 */
export async function viewSubscription(
  { headers }: Pick<Request, 'headers'>,
  publicUrl: string,
  { name, token, isServed = true }: { name: string; token: string; isServed?: boolean },
): Promise<object> {
  const links = subscribeLinks(publicUrl, token, name)
  const pageAddress = pageUrl(publicUrl, token)
  const reachable = isReachable(publicUrl)
  const primary = likelyWay(headers, reachable)
  return {
    name: isolated(name),
    links,
    qrCode: await qrCode(links.apple),
    pageAddress,
    pageCode: await qrCode(pageAddress),
    previewAddress: isServed ? new URL(links.address).pathname : null,
    reachable,
    primary,
    others: ways.filter((way) => way !== primary && (isServed || way !== 'download')),
    onPhone: isOnPhone(headers),
  }
}

/** Draws the address as a QR code for another device: an SVG element without styles or scripts. */
function qrCode(address: string): Promise<string> {
  return drawCode(address, { type: 'svg', margin: 2, errorCorrectionLevel: 'M' })
}
