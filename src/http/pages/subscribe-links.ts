import { toString as drawCode } from 'qrcode'

import { feedUrl } from '../../feeds/feed-address.ts'

/** Every way to a calendar program, as addresses. */
export interface SubscribeLinks {
  readonly address: string
  readonly apple: string
  readonly google: string
  readonly outlookWork: string
  readonly outlookCom: string
  readonly download: string
}

/**
 * The ways to subscribe to the calendar of that secret. Apple takes `webcal`, never `webcals`; Google's place to paste a
 * copied address into, since its `?cid=` shortcut is unreliable; both Outlooks the address itself and a name.
 */
export function subscribeLinks(publicUrl: string, token: string, name: string): SubscribeLinks {
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

/** The address as a QR code for another device: an SVG element without styles or scripts. */
export function qrCode(address: string): Promise<string> {
  return drawCode(address, { type: 'svg', margin: 2, errorCorrectionLevel: 'M' })
}

/** Whether servers elsewhere, such as Google's and Microsoft's, could reach the address. */
export function isReachable(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl)
  return protocol === 'https:' && !/^(localhost|127\.|\[::1\])/.test(hostname)
}
