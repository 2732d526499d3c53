import type { Request } from 'express'

export type Way =
  | 'apple'
  | 'google'
  | 'outlookWork'
  | 'outlookCom'
  | 'copy'
  | 'download'
  | 'device'

/** The way that suits the device best, by what the browser says of its platform; all others stay beside it. */
export function likelyWay(headers: Request['headers']): Way {
  const platform = String(headers['sec-ch-ua-platform'] ?? headers['user-agent'])
  if (/iPhone|iPad|iOS|mac/i.test(platform)) return 'apple'
  if (/Android|CrOS|Chrome OS/i.test(platform)) return 'google'
  return /Windows/i.test(platform) ? 'outlookWork' : 'copy'
}
