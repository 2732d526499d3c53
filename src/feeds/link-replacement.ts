import { type AuditAction, type AuditEvent, logAuditEvent } from '../domain/access/audit-entry.ts'
import type { Creation } from '../domain/creation.ts'
import { AppError, asAppError } from '../domain/errors.ts'
import type { Feed } from '../domain/feed.ts'
import type { FeedLink, LinkStore } from '../domain/link.ts'
import { hashSecret, makeSecret } from '../domain/secrets.ts'
import type { Instant, Clock, Log } from '../domain/world.ts'

/** A new link that has served nothing yet. */
export function newLink(
  of: Pick<FeedLink, 'feedId' | 'label' | 'createdAt'>,
  token = makeSecret('cfb'),
): {
  readonly link: FeedLink
  readonly token: string
} {
  const tokenHash = hashSecret('cfb', token)
  if (!tokenHash) throw new Error('A new token is always well formed.')
  const link = {
    ...of,
    tokenHash,
    endsAt: null,
    endingSince: null,
    purged: false,
    awaitsPoll: false,
    choices: {},
    publication: null,
  }
  return { link, token }
}

/** `feed show` lists all. */
const namedMax = 20

type Named = Pick<Feed, 'id' | 'timezone'>

export function activeLinks(links: readonly FeedLink[], now: Instant): readonly FeedLink[] {
  return links.filter(({ endsAt }) => endsAt === null || endsAt > now)
}

/** For each link: that its address keeps working, until when, and how to end it. One of them may be the one that leaked. */
export function activeLinkWarnings(feed: Named, links: readonly FeedLink[]): readonly string[] {
  const said = links.slice(0, namedMax).map((link) => {
    const address = `The address "${link.label}" still works`
    return link.endsAt === null
      ? `${address}; ${revocation(feed, link)} ends it.`
      : `${address} until ${dayOf(feed, link.endsAt)}; ${revocation(feed, link)} ends it now.`
  })
  const more = links.length - namedMax
  return more > 0 ? [...said, `${more} more still work; feed show ${feed.id} lists them.`] : said
}

/**
 * `conflict` for a link that was replaced: rotating it again would open a second address. A link that was ended can get a
 * new address.
 */
export function refuseReplaced(feed: Named, link: FeedLink, now: Instant): void {
  const { endsAt, label } = link
  if (endsAt === null) return
  if (endsAt > now) {
    throw new AppError(
      'conflict',
      `This address was already replaced and works until ${dayOf(feed, endsAt)}; ${revocation(feed, link)} ends it now.`,
    )
  }
  if (rotatedLabels.test(label)) {
    throw new AppError('conflict', 'This address was already replaced and has ended.')
  }
}

/** The label of a link after its replacement, short enough for a number behind it. */
export function rotatedLabel(label: string, now: Instant): string {
  const day = new Date(now).toISOString().slice(0, 10)
  const base = label.slice(0, rotatedBaseMax).replace(/\p{Cs}$/u, '')
  return `${base} (rotated ${day})`
}

export function labelBefore(label: string): string {
  return label.replace(rotatedLabels, '')
}

/** Leaves room for the suffix within the 100 characters of a label. */
const rotatedBaseMax = 75
const rotatedLabels = / \(rotated \d{4}-\d\d-\d\d\)( \d+)?$/

function revocation({ id }: Named, { label }: FeedLink): string {
  return `\`feed revoke ${id} --label "${label.replaceAll(/["$\\`]/g, '\\$&')}"\``
}

/** In the feed's time zone, as in its calendar. */
function dayOf({ timezone: timeZone }: Named, instant: Instant): string {
  return new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'medium' }).format(instant)
}

/** Changes of a link's choices or a person's settings: each is logged for long. */
export const changesADayMax = 50

export interface AuditDeps {
  readonly by: { readonly actor: string }
  readonly clock: Clock
  readonly log: Log
}

export function auditEventOf(
  { by, clock }: Omit<AuditDeps, 'log'>,
  action: AuditAction,
): AuditEvent {
  return { at: clock.now(), actor: by.actor, action }
}

/** Logs what was done to the feed, or to its link with that label. */
export function tellOfFeed(
  { log }: Pick<AuditDeps, 'log'>,
  auditEvent: AuditEvent,
  { id: feedId, companyId, userIds }: Pick<Feed, 'id' | 'companyId' | 'userIds'>,
  label?: string,
): void {
  logAuditEvent(log, auditEvent, { companyId, feedId, userIds, label: label ?? null })
}

/**
 * Replaces the link with that label, which ends after `graceMs`; undefined if it is gone. With `tokenHash`, it must be that
 * very link and have no end yet.
 */
export async function replaceLink(
  deps: AuditDeps & { readonly links: LinkStore },
  feed: Pick<Feed, 'id' | 'companyId' | 'userIds'>,
  { action, label, token: given, graceMs = 0, mostADay, tokenHash, check, once }: LinkReplacement,
): Promise<{ readonly link: FeedLink; readonly token: string } | undefined> {
  const { at, ...event } = auditEventOf(deps, action)
  const { link, token } = newLink({ feedId: feed.id, label, createdAt: at }, given)
  const old = {
    label: rotatedLabel(label, at),
    endsAt: at + graceMs,
    ...(tokenHash && { tokenHash }),
  }
  const auditEvent = { at, ...event, ...(mostADay !== undefined && { mostADay }) }
  if (!(await deps.links.rotateLink(link, old, auditEvent, check, once))) return undefined
  tellOfFeed(deps, auditEvent, feed, label)
  return { link, token }
}

interface LinkReplacement {
  readonly action: 'link_rotated' | 'link_replaced'
  readonly label: string
  /** A random one if left out. */
  readonly token?: string
  readonly graceMs?: number
  readonly mostADay?: number
  readonly tokenHash?: Uint8Array
  /** Called with the feed's links before the change; may refuse it by throwing. */
  readonly check?: (links: readonly FeedLink[]) => void
  /** Stored together with the change; `conflict` if its key is stored already. */
  readonly once?: Creation
}

export function invalidFeed(pointer: string, detail: string): AppError {
  return new AppError('invalid', 'The feed is not valid.', { faults: [{ pointer, detail }] })
}

export function noFeed(id: string): AppError {
  return new AppError('not_found', `There is no feed ${id}.`)
}

/** Gives a conflict that sentence, and rethrows it and anything else. */
export function sayConflict(message: string): (error: unknown) => never {
  return (cause) => {
    if (asAppError(cause)?.code !== 'conflict') throw cause
    throw new AppError('conflict', message, { cause })
  }
}
