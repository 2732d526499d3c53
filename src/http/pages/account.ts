/* How to add a link as a CalDAV account, for the pages that offer it. */
import type { Request } from 'express'

import { isLoopback } from '../../web/loopback.ts'
import { type Device, deviceOf } from './device.ts'

/** Any name works, but programs ask for one. */
export const accountUser = 'calendar'

export type AccountApp = 'iphone' | 'mac' | 'android' | 'thunderbird' | 'outlook'

/** Programs for each device, the likeliest first. Browsers on an iPad claim to be on a Mac. */
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

/** Whether pages may offer accounts: a password must not cross a network in plain text. */
export function takesAccounts(publicUrl: string): boolean {
  return publicUrl.startsWith('https:') || isLoopback(publicUrl)
}

/** The whole address, since programs that start at the host would miss a path prefix, and KDE follows no redirect. */
export function accountServer(publicUrl: string): string {
  return `${publicUrl}/dav/`
}

/** Returns what a page shows for adding the link as an account; null if it may not offer accounts. */
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
