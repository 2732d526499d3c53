import type { Request } from 'express'
import { toString as drawCode } from 'qrcode'

import { feedUrl, pageUrl } from '../../feeds/feed-view.ts'
import { isolated } from '../../text/plain-text.ts'
import { viewAccount } from './account.ts'

/** Ways to subscribe, in the order of the page. */
const ways = ['apple', 'icsx5', 'google', 'outlook', 'copy', 'download'] as const

export type Way = (typeof ways)[number]

/**
 * Returns the best way for the device, from the platform that the browser reports; the page shows all others beside it.
 * `reachable`: whether servers elsewhere can fetch the calendar.
 */
export function likelyWay(headers: Request['headers'], reachable: boolean): Way {
  const platform = platformOf(headers)
  if (/iPhone|iPad|iOS|mac/i.test(platform)) return 'apple'
  if (/Android/i.test(platform)) return 'icsx5'
  if (!reachable) return 'copy'
  if (/CrOS|Chrom(e|ium) OS/i.test(platform)) return 'google'
  return /Windows/i.test(platform) ? 'outlook' : 'copy'
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

type LinkName =
  | Exclude<Way, 'copy' | 'outlook'>
  | 'address'
  | 'outlookWork'
  | 'outlookCom'
  | 'googlePlay'
  | 'fDroid'

const icsx5App = 'at.bitfire.icsdroid'
const googlePlay = `https://play.google.com/store/apps/details?id=${icsx5App}`

/**
 * Returns the addresses for subscribing. Apple accepts `webcal`, never `webcals`. ICSx5 reads `webcal` as plain http and
 * `webcals` as https; phones without the app go to Google Play. Google gets its form for pasting a copied address, since
 * its `?cid=` shortcut is unreliable. Outlook on the web takes the address and a name.
 */
export function subscribeLinks(
  publicUrl: string,
  token: string,
  name: string,
): Readonly<Record<LinkName, string>> {
  const address = feedUrl(publicUrl, token, name)
  const outlook = `/calendar/0/addfromweb?${new URLSearchParams({ url: address, name }).toString()}`
  return {
    address,
    apple: address.replace(/^https?:/, 'webcal:'),
    icsx5: intentOf(address),
    googlePlay,
    fDroid: `https://f-droid.org/packages/${icsx5App}/`,
    google: 'https://calendar.google.com/calendar/r/settings/addbyurl',
    outlookWork: `https://outlook.office.com${outlook}`,
    outlookCom: `https://outlook.live.com${outlook}`,
    download: `${address}?download`,
  }
}

function intentOf(address: string): string {
  const scheme = address.startsWith('https:') ? 'webcals' : 'webcal'
  const fallback = encodeURIComponent(googlePlay)
  return `${address.replace(/^https?:/, 'intent:')}#Intent;scheme=${scheme};package=${icsx5App};S.browser_fallback_url=${fallback};end`
}

interface Subscription {
  readonly name: string
  readonly token: string
  readonly isServed?: boolean
  /** Whether the page's address leads to the steps of an account. */
  readonly isForAccount?: boolean
}

/**
 * Returns what a page shows for subscribing: addresses and codes, the best way for the device, the one for people who
 * cannot use it (`second`), and all others. A download is offered only while the calendar can be served.
 */
export async function viewSubscription(
  request: Pick<Request, 'headers'>,
  publicUrl: string,
  { name, token, isServed = true, isForAccount = false }: Subscription,
): Promise<object> {
  const { headers } = request
  const links = subscribeLinks(publicUrl, token, name)
  const page = pageUrl(publicUrl, token)
  const pageAddress = isForAccount ? `${page}#account` : page
  const reachable = isReachable(publicUrl)
  const primary = likelyWay(headers, reachable)
  const isAndroid = primary === 'icsx5'
  // Neither app exists on the other's devices; codes lead there.
  const isFor = (way: Way): boolean => way !== (isAndroid ? 'apple' : 'icsx5')
  return {
    name: isolated(name),
    links,
    qrCode: await qrCode(links.apple, 'screen'),
    pageAddress,
    pageCode: await qrCode(pageAddress, 'screen'),
    previewAddress: isServed ? new URL(links.address).pathname : null,
    reachable,
    primary,
    second: isAndroid && reachable ? 'google' : null,
    others: ways.filter((way) => way !== primary && (isServed || way !== 'download') && isFor(way)),
    onPhone: isOnPhone(headers),
    account: viewAccount(request, publicUrl, token),
    profiles: {
      account: `${page}/account.mobileconfig`,
      subscription: `${page}/subscription.mobileconfig`,
    },
  }
}

/** Draws the address as a QR code for another device: an SVG element without styles or scripts. */
export function qrCode(address: string, place: 'screen' | 'paper'): Promise<string> {
  // Paper gets stains. On a screen, fewer and larger modules are easier to scan.
  const errorCorrectionLevel = place === 'paper' ? 'M' : 'L'
  return drawCode(address, { type: 'svg', margin: 2, errorCorrectionLevel })
}
