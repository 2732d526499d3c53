/* The account that a link also is: programs that speak CalDAV ask for changes every few minutes. */
import type { Request } from 'express'

import { isLoopback } from '../../web/loopback.ts'
import { type Device, deviceOf } from './device.ts'

/** Any name opens an account; programs ask for one all the same. */
export const accountUser = 'calendar'

export type AccountApp = 'iphone' | 'mac' | 'android' | 'thunderbird' | 'outlook'

/** Programs of each device, the likeliest first. Browsers on an iPad call it a Mac. */
const appsOf: Readonly<Record<Device, readonly AccountApp[]>> = {
  iPhone: ['iphone'],
  iPad: ['iphone'],
  Mac: ['mac', 'iphone', 'thunderbird'],
  Android: ['android'],
  Windows: ['outlook', 'thunderbird'],
  Linux: ['thunderbird'],
  Computer: ['thunderbird'],
}

const davx5App = 'at.bitfire.davdroid'
const googlePlay = `https://play.google.com/store/apps/details?id=${davx5App}`

/** Whether accounts work at this address: their password must not cross a network in plain text. */
export function takesAccounts(publicUrl: string): boolean {
  return publicUrl.startsWith('https:') || isLoopback(publicUrl)
}

/** The full address: programs that start at the host alone would miss a path before it. */
export function accountServer(publicUrl: string): string {
  return `${publicUrl}/dav/`
}

/** Returns what a page shows for adding the link as an account; null where accounts do not work. */
export function viewAccount(
  request: Pick<Request, 'headers'>,
  publicUrl: string,
  token: string,
): object | null {
  if (!takesAccounts(publicUrl)) return null
  const server = accountServer(publicUrl)
  return {
    apps: appsOf[deviceOf(request)],
    values: { server, user: accountUser, password: token },
    davx5: intentOf(server, token),
    googlePlay,
    fDroid: `https://f-droid.org/packages/${davx5App}/`,
    synchronizer: 'https://caldavsynchronizer.org/',
  }
}

/** DAVx⁵ reads `caldavs` as https, and takes user name and password from the extras. */
function intentOf(server: string, token: string): string {
  const scheme = server.startsWith('https:') ? 'caldavs' : 'caldav'
  const fallback = encodeURIComponent(googlePlay)
  return `${server.replace(/^https?:/, 'intent:')}#Intent;scheme=${scheme};package=${davx5App};S.username=${accountUser};S.password=${token};S.browser_fallback_url=${fallback};end`
}
