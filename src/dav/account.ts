/* HTTP Basic (RFC 7617): the password is a link's secret. */
import type { IncomingHttpHeaders } from 'node:http'

/** One realm for all accounts, so that clients ask for the password once. */
export const challenge = 'Basic realm="Calendars", charset="UTF-8"'

/** Undefined if there is none; the user name does not matter. */
export function passwordOf({ authorization = '' }: IncomingHttpHeaders): string | undefined {
  const [, encoded = ''] = /^Basic +([A-Za-z0-9+/=_-]+) *$/i.exec(authorization) ?? []
  const [, password = ''] = /^[^:]*:(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? []
  const trimmed = password.trim()
  return trimmed === '' ? undefined : trimmed
}
