import { type AuditAction, type AuditEvent, logAuditEvent } from '../domain/access/audit-entry.ts'
import { AppError, asAppError } from '../domain/errors.ts'
import type { Feed } from '../domain/feed.ts'
import type { FeedLink, LinkStore } from '../domain/link.ts'
import { hashSecret, makeSecret } from '../domain/secrets.ts'
import type { Instant, Clock, Log } from '../domain/world.ts'

/** An open link of a new secret, which has served nothing yet. */
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

/** Nobody reads more of them; `feed show` lists all. */
const namedMax = 20

type Named = Pick<Feed, 'id' | 'timezone'>

/** The links that have not ended. */
export function goingOn(links: readonly FeedLink[], now: Instant): readonly FeedLink[] {
  return links.filter(({ endsAt }) => endsAt === null || endsAt > now)
}

/** Says of each of these links that its address goes on, until when, and what ends it: one of them may be the one that leaked. */
export function sayGoingOn(feed: Named, links: readonly FeedLink[]): readonly string[] {
  const said = links.slice(0, namedMax).map((link) => {
    const address = `The address "${link.label}" goes on`
    return link.endsAt === null
      ? `${address}; ${revocation(feed, link)} ends it.`
      : `${address} until ${dayOf(feed, link.endsAt)}; ${revocation(feed, link)} ends it now.`
  })
  const more = links.length - namedMax
  return more > 0 ? [...said, `${more} more go on; feed show ${feed.id} lists them.`] : said
}

/**
 * `conflict` for a link that another one has taken the place of: a rotation of it would open a second address beside that
 * one. One that was ended by itself may be given a new address.
 */
export function refuseReplaced(feed: Named, link: FeedLink, now: Instant): void {
  const { endsAt, label } = link
  if (endsAt === null) return
  if (endsAt > now) {
    throw new AppError(
      'conflict',
      `This address was replaced already and goes on until ${dayOf(feed, endsAt)}; ${revocation(feed, link)} ends it now.`,
    )
  }
  if (rotatedLabels.test(label)) {
    throw new AppError('conflict', 'This address was replaced already and has ended.')
  }
}

/** What a link is called once another has its label: short enough to be named again, with a number behind it. */
export function rotatedLabel(label: string, now: Instant): string {
  const day = new Date(now).toISOString().slice(0, 10)
  const base = label.slice(0, rotatedBaseMax).replace(/\p{Cs}$/u, '')
  return `${base} (rotated ${day})`
}

/** What a link was called before another took its label. */
export function labelBefore(label: string): string {
  return label.replace(rotatedLabels, '')
}

/** Characters of a label that are kept of it, out of 100, once it is rotated. */
const rotatedBaseMax = 75
const rotatedLabels = / \(rotated \d{4}-\d\d-\d\d\)( \d+)?$/

function revocation({ id }: Named, { label }: FeedLink): string {
  return `\`feed revoke ${id} --label "${label.replaceAll(/["$\\`]/g, '\\$&')}"\``
}

/** By the feed's clock, as its calendar says it. */
function dayOf({ timezone: timeZone }: Named, instant: Instant): string {
  return new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'medium' }).format(instant)
}

/** How often the choices of a link, or one's own settings, change within a day: each change is remembered for long. */
export const changesADayMax = 50

/** Who does it, by what clock, and where that is told. */
export interface AuditDeps {
  readonly by: { readonly actor: string }
  readonly clock: Clock
  readonly log: Log
}

/** That one does this now. */
export function auditEventOf(
  { by, clock }: Omit<AuditDeps, 'log'>,
  action: AuditAction,
): AuditEvent {
  return { at: clock.now(), actor: by.actor, action }
}

/** Tells what was done to a feed, or to the link of it by that label. */
export function tellOfFeed(
  { log }: Pick<AuditDeps, 'log'>,
  auditEvent: AuditEvent,
  { id: feedId, companyId, userIds }: Pick<Feed, 'id' | 'companyId' | 'userIds'>,
  label?: string,
): void {
  logAuditEvent(log, auditEvent, { companyId, feedId, userIds, label: label ?? null })
}

/**
 * Puts a new link in the place of the one of that label, which ends after `graceMs`; undefined if that one is gone. With
 * `tokenHash`, the old link must be this very one, and still without an end.
 */
export async function replaceLink(
  deps: AuditDeps & { readonly links: LinkStore },
  feed: Pick<Feed, 'id' | 'companyId' | 'userIds'>,
  { action, label, token: given, graceMs = 0, mostADay, tokenHash, check }: LinkReplacement,
): Promise<{ readonly link: FeedLink; readonly token: string } | undefined> {
  const { at, ...event } = auditEventOf(deps, action)
  const { link, token } = newLink({ feedId: feed.id, label, createdAt: at }, given)
  const old = {
    label: rotatedLabel(label, at),
    endsAt: at + graceMs,
    ...(tokenHash && { tokenHash }),
  }
  const auditEvent = { at, ...event, ...(mostADay !== undefined && { mostADay }) }
  if (!(await deps.links.rotateLink(link, old, auditEvent, check))) return undefined
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
}

/** `invalid` with one fault of a new or changed feed. */
export function invalidFeed(pointer: string, detail: string): AppError {
  return new AppError('invalid', 'The feed is not valid.', { faults: [{ pointer, detail }] })
}

/** `not_found`, by the feed's id. */
export function noFeed(id: string): AppError {
  return new AppError('not_found', `There is no feed ${id}.`)
}

/** The operating error that was caught; what is none is a bug and goes on. */
export function asFailure(error: unknown): AppError {
  const known = asAppError(error)
  if (!known) throw error
  return known
}
