/* Who asks: HTTP Basic (RFC 7617) with a link's secret as the password. */
import type { IncomingHttpHeaders } from 'node:http'

/** The same for every account, so that clients ask for the password once. */
export const challenge = 'Basic realm="Calendars", charset="UTF-8"'

/** The password; undefined if there is none. Any user name will do. */
export function passwordOf({ authorization = '' }: IncomingHttpHeaders): string | undefined {
  const [, encoded = ''] = /^Basic +([A-Za-z0-9+/=_-]+) *$/i.exec(authorization) ?? []
  const [, password = ''] = /^[^:]*:(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? []
  const trimmed = password.trim()
  return trimmed === '' ? undefined : trimmed
}
