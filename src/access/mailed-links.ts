import { type LostLinkStore, mailedLabel } from '../domain/access/lost-link.ts'
import { bridge } from '../domain/access/staff.ts'
import type { Feed } from '../domain/feed.ts'
import { type FeedLink, type LinkOfFeed, linkName, type LinkStore } from '../domain/link.ts'
import type { LinkDeed } from '../domain/links/changes.ts'
import type { PersonInCompany } from '../domain/person.ts'
import type { Clock, Log } from '../domain/world.ts'
import { tellOfFeed } from '../feeds/deeds.ts'
import { linkAddresses } from '../feeds/feed-address.ts'
import { labelBefore, rotatedLabel } from '../feeds/links-going-on.ts'
import { newLink } from '../feeds/new-link.ts'
import { type MailAuditDeps, noteMailing } from './mail/mail-audit.ts'
import { mayBeDelivered } from './mail/mail-faults.ts'
import type { Letter, Mailer } from './mail/mailer.ts'

const dayMs = 86_400_000
/** A link that no calendar program asks for ends so long after another one was mailed. */
const unusedDays = 7
/** As many as are mailed to one person a day: each can be used for a day at least, however often strangers ask. */
const untouchedMax = 3

export interface MailedLinksDeps {
  readonly links: Pick<LinkStore, 'mailLink' | 'takeUp'>
  readonly clock: Clock
  readonly log: Log
}

/** What mails links. */
export interface LinkMailingDeps extends MailedLinksDeps, MailAuditDeps {
  readonly lostLinks: LostLinkStore
  readonly mailer: Pick<Mailer, 'send'>
  readonly publicUrl: string
}

/** For whom a link is made, and who has it mailed. */
interface LinkMailing {
  readonly feed: Feed
  readonly actor: string
  /** What is mailed, of the link's page. */
  readonly letter: (page: string) => Letter
}

/**
 * Mails the person a link, unless they were mailed `most` within a day, on whatever node: then false. A mail that was not sent
 * does not count; one that may have been does.
 */
export async function mailInTurn(
  { lostLinks, clock }: Pick<LinkMailingDeps, 'lostLinks' | 'clock'>,
  { companyId, userId }: PersonInCompany,
  most: number,
  mail: () => Promise<void>,
): Promise<boolean> {
  const now = clock.now()
  const person = { companyId, userId }
  if (!(await lostLinks.takeTurn(person, { now, since: now - dayMs, most }))) return false
  await mail().catch(async (error: unknown) => {
    if (!mayBeDelivered(error)) await lostLinks.returnTurn(person, now)
    throw error
  })
  return true
}

/** Mails a new link, which is kept once the mail has been taken, or may have been; fails where it was not taken. */
export async function mailNewLink(
  deps: LinkMailingDeps,
  { feed, actor, letter }: LinkMailing,
): Promise<void> {
  const { mailer, clock, publicUrl } = deps
  const { link, token } = newLink({ feedId: feed.id, label: mailedLabel, createdAt: clock.now() })
  const { page } = linkAddresses(publicUrl, token, feed.name)
  const keep = (): Promise<void> => keepMailedLink(deps, { feed, link, actor })
  const mailing = noteMailing(deps, { feed, label: mailedLabel, actor }, () =>
    mailer.send(letter(page)),
  )
  await mailing.catch(async (error: unknown) => {
    if (mayBeDelivered(error)) await keep()
    throw error
  })
  await keep()
}

/**
 * Keeps a link that its person has been mailed. Anybody may ask for one, so it ends none that a calendar program uses: that
 * goes on until one asks for the new link.
 */
export async function keepMailedLink(
  deps: MailedLinksDeps,
  { feed, link, actor }: Omit<LinkMailing, 'letter'> & { readonly link: FeedLink },
): Promise<void> {
  const at = deps.clock.now()
  const before = {
    label: rotatedLabel(link.label, at),
    unusedEndAt: at + unusedDays * dayMs,
    untouchedMax,
  }
  const mailed = { ...link, awaitsPoll: true }
  tellAll(deps, feed, await deps.links.mailLink(mailed, before, { at, actor }))
}

/** Ends the links that were mailed before this one, which a calendar program has asked for. */
export async function takeUpMailedLink(
  deps: MailedLinksDeps,
  { feed, link }: LinkOfFeed,
): Promise<void> {
  const isBefore = (other: FeedLink): boolean =>
    labelBefore(other.label) === mailedLabel &&
    other.createdAt <= link.createdAt &&
    linkName(other) !== linkName(link)
  const by = { at: deps.clock.now(), actor: bridge.actor }
  tellAll(deps, feed, await deps.links.takeUp(link, isBefore, by))
}

function tellAll(deps: Pick<MailedLinksDeps, 'log'>, feed: Feed, deeds: readonly LinkDeed[]): void {
  for (const { deed, label } of deeds) tellOfFeed(deps, deed, feed, label)
}
