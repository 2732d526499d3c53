import type { Request } from 'express'

/** The ways to a calendar program, in the order of the page. */
export const ways = ['apple', 'google', 'outlookWork', 'outlookCom', 'copy', 'download'] as const

export type Way = (typeof ways)[number]

/**
 * The way that suits the device best, by what the browser says of its platform; all others stay beside it. `isReachable`
 * says whether servers elsewhere can fetch the calendar.
 */
export function likelyWay(headers: Request['headers'], isReachable: boolean): Way {
  const platform = platformOf(headers)
  if (/iPhone|iPad|iOS|mac/i.test(platform)) return 'apple'
  if (!isReachable) return 'copy'
  if (/Android|CrOS|Chrom(e|ium) OS/i.test(platform)) return 'google'
  return /Windows/i.test(platform) ? 'outlookWork' : 'copy'
}

/** Whether the page is open on a telephone, whose calendar programs can do less than a computer's. */
export function isOnPhone(headers: Request['headers']): boolean {
  return /Android|iPhone|iPad|iOS/i.test(platformOf(headers))
}

function platformOf(headers: Request['headers']): string {
  return String(headers['sec-ch-ua-platform'] ?? headers['user-agent'])
}
