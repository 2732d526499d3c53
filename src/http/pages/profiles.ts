/* Apple's configuration profiles, which add a link to a device as an account or as a subscription. */
import { createHash } from 'node:crypto'

import type { RequestHandler } from 'express'

import type { Feed, Locale } from '../../domain/feed.ts'
import { linkName, type FeedLink } from '../../domain/link.ts'
import { feedUrl, pageUrl } from '../../feeds/feed-view.ts'
import { labelBefore } from '../../feeds/link-replacement.ts'
import { openLink } from '../../publishing/open-link.ts'
import { calendarDisposition } from '../feed-routes.ts'
import { accountServer, accountUser, takesAccounts } from './account.ts'
import { askedLanguage, basePath, type PageDeps } from './page.ts'
import { type PlistValue, writePlist } from './plist.ts'
import { fill, pageLanguages } from './words/words.ts'

type ProfileKind = 'account' | 'subscription'

interface Profiled {
  readonly feed: Feed
  readonly link: FeedLink
  readonly token: string
  readonly publicUrl: string
  readonly locale: Locale
}

/** `GET, HEAD /feeds/{token}/account.mobileconfig` and `subscription.mobileconfig`. They contain the secret, as the page does. */
export function showProfile(deps: PageDeps, kind: ProfileKind): RequestHandler<{ token: string }> {
  return async (request, response) => {
    const { token } = request.params
    const { feed, link } = await openLink(deps.links, token)
    deps.limits.polls.take(linkName(link))
    const { publicUrl } = deps
    response.setHeader('Cache-Control', 'no-store')
    // The page says why.
    if (kind === 'account' && !takesAccounts(publicUrl)) {
      return response.redirect(303, pageUrl(basePath(publicUrl), token))
    }
    const locale = askedLanguage(request) ?? feed.locale
    response.setHeader('X-Robots-Tag', 'noindex, nofollow')
    response.setHeader(
      'Content-Disposition',
      calendarDisposition('attachment', feed.name, 'mobileconfig'),
    )
    response.setHeader('Content-Type', 'application/x-apple-aspen-config')
    response.end(writePlist(profileOf(kind, { feed, link, token, publicUrl, locale })))
  }
}

/** The keys are those of Apple's "Device Management": `TopLevel`, `CalDAV` and `SubscribedCalendars`. */
function profileOf(kind: ProfileKind, profiled: Profiled): PlistValue {
  const { feed, locale } = profiled
  const words = pageLanguages[locale].account.profiles
  return {
    ...identity('Configuration', `profile ${kind}`, profiled),
    PayloadDisplayName: feed.name,
    PayloadDescription: fill(words[kind], { name: feed.name }),
    PayloadRemovalDisallowed: false,
    PayloadContent: [kind === 'account' ? accountPayload(profiled) : subscription(profiled)],
  }
}

function accountPayload(profiled: Profiled): PlistValue {
  const { feed, token } = profiled
  const server = new URL(accountServer(profiled.publicUrl))
  const isSecure = server.protocol === 'https:'
  const port = server.port === '' ? (isSecure ? 443 : 80) : Number(server.port)
  return {
    ...identity('com.apple.caldav.account', 'account', profiled),
    PayloadDisplayName: feed.name,
    CalDAVAccountDescription: feed.name,
    CalDAVHostName: server.hostname,
    CalDAVPort: port,
    CalDAVUseSSL: isSecure,
    CalDAVPrincipalURL: server.pathname,
    CalDAVUsername: accountUser,
    CalDAVPassword: token,
  }
}

function subscription(profiled: Profiled): PlistValue {
  const { feed, token, publicUrl } = profiled
  return {
    ...identity('com.apple.subscribedcalendar.account', 'subscription', profiled),
    PayloadDisplayName: feed.name,
    SubCalAccountDescription: feed.name,
    SubCalAccountHostName: feedUrl(publicUrl, token, feed.name),
    SubCalAccountUseSSL: publicUrl.startsWith('https:'),
  }
}

/**
 * A device replaces a payload with the same identity. A rotated link keeps its identity, so that its new profile only changes
 * the account's password.
 */
function identity(
  type: string,
  part: string,
  { feed, link }: Profiled,
): Record<string, PlistValue> {
  const uuid = uuidOf(JSON.stringify([part, feed.id, labelBefore(link.label)]))
  return {
    PayloadType: type,
    PayloadVersion: 1,
    PayloadIdentifier: `calendar-feed-bridge.${uuid}`,
    PayloadUUID: uuid,
  }
}

/** The same name gives the same UUID: version 8 (RFC 9562 section 5.8). */
function uuidOf(name: string): string {
  const bytes = createHash('sha256').update(name).digest()
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
}
