import type { AuditStore } from '../domain/access/audit-entry.ts'
import { asAppError } from '../domain/errors.ts'
import type { Feed } from '../domain/feed.ts'
import type { FeedLink, LinkStore } from '../domain/link.ts'
import type { Clock, Log } from '../domain/world.ts'
import { deedOf, tellOfFeed } from '../feeds/deeds.ts'
import { goingOn, rotatedLabel } from '../feeds/links-going-on.ts'

/** Of one feed at once. */
const linksMax = 500
/** Of a feed; three a day are mailed. */
const mailsMax = 1000
const triesMax = 5
const usualLabel = 'mail'

interface MailedLinkDeps {
  readonly audit: Pick<AuditStore, 'listEntries'>
  readonly links: Pick<LinkStore, 'listLinks' | 'createLink' | 'rotateLink'>
  readonly clock: Clock
  readonly log: Log
}

/** A link that its person has been mailed. */
interface MailedLink {
  readonly feed: Feed
  readonly link: FeedLink
  readonly actor: string
}

/** Where a link goes that is mailed: in the place of the one that was mailed before, or beside all others. */
interface Place {
  readonly label: string
  readonly before: FeedLink | undefined
}

/**
 * The place is that of the open link that was mailed at the wish of that person before. One that somebody has called `mail`
 * stays what it is, and the new one gets a number. Undefined where the feed has links enough.
 */
export async function findPlace(
  { audit, links, clock }: Pick<MailedLinkDeps, 'audit' | 'links' | 'clock'>,
  feedId: string,
  actor: string,
): Promise<Place | undefined> {
  const open = goingOn(await links.listLinks([feedId]), clock.now())
  const actions = ['mail_sent', 'mail_refused'] as const
  const mails = await audit.listEntries({ feedId, actions, limit: mailsMax })
  const isMailed = ({ label, createdAt, endsAt }: FeedLink): boolean =>
    endsAt === null &&
    mails.some((mail) => mail.actor === actor && mail.label === label && mail.at >= createdAt)
  const before = open.find(isMailed)
  if (before) return { label: before.label, before }
  if (open.length >= linksMax) return undefined
  const taken = new Set(open.map(({ label }) => label))
  let label = usualLabel
  for (let number = 2; taken.has(label); number += 1) label = `${usualLabel} ${number}`
  return { label, before: undefined }
}

/** Keeps the link in its place; the one that stood there ends. */
export async function keepMailedLink(deps: MailedLinkDeps, mailed: MailedLink): Promise<void> {
  // Another node, or the person, may make one meanwhile.
  for (let count = 0; count < triesMax; count += 1) {
    const place = await findPlace(deps, mailed.feed.id, mailed.actor)
    if (!place) return
    if (await tryKeeping(deps, mailed, place)) return
  }
  throw new Error('The links of the feed changed too often.')
}

async function tryKeeping(
  deps: MailedLinkDeps,
  mailed: MailedLink,
  { before, label }: Place,
): Promise<boolean> {
  const placed = { ...mailed, link: { ...mailed.link, label } }
  if (before) return rotate(deps, placed, before)
  try {
    await create(deps, placed)
    return true
  } catch (error) {
    if (asAppError(error)?.code !== 'conflict') throw error
    return false
  }
}

async function create({ links, ...deps }: MailedLinkDeps, mailed: MailedLink): Promise<void> {
  const { feed, link, actor } = mailed
  const deed = deedOf({ ...deps, by: { actor } }, 'link_created')
  await links.createLink(link, deed)
  tellOfFeed(deps, deed, feed, link.label)
}

async function rotate(
  { links, ...deps }: MailedLinkDeps,
  { feed, link, actor }: MailedLink,
  { tokenHash }: FeedLink,
): Promise<boolean> {
  const deed = deedOf({ ...deps, by: { actor } }, 'link_rotated')
  const old = { label: rotatedLabel(link.label, deed.at), endsAt: deed.at, tokenHash }
  if (!(await links.rotateLink(link, old, deed))) return false
  tellOfFeed(deps, deed, feed, link.label)
  return true
}
