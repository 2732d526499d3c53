import { asAppError } from '../domain/errors.ts'
import type { Feed } from '../domain/feed.ts'
import type { FeedLink, LinkStore } from '../domain/link.ts'
import type { Clock, Log } from '../domain/world.ts'
import { deedOf, tellOfFeed } from '../feeds/deeds.ts'
import { rotatedLabel } from '../feeds/links-going-on.ts'

interface MailedLinkDeps {
  readonly links: Pick<LinkStore, 'createLink' | 'rotateLink'>
  readonly clock: Clock
  readonly log: Log
}

/** A link that its person has been mailed, and the open one of its label, if there is one. */
interface MailedLink {
  readonly feed: Feed
  readonly link: FeedLink
  readonly before: FeedLink | undefined
  readonly actor: string
}

/** Keeps the link, in the place of the open one of its label, which ends. */
export async function keepMailedLink(deps: MailedLinkDeps, mailed: MailedLink): Promise<void> {
  if (mailed.before && (await rotate(deps, mailed))) return
  try {
    await create(deps, mailed)
  } catch (error) {
    // Another node, or the person, may have made one meanwhile.
    if (asAppError(error)?.code !== 'conflict' || !(await rotate(deps, mailed))) throw error
  }
}

async function create({ links, ...deps }: MailedLinkDeps, mailed: MailedLink): Promise<void> {
  const { feed, link, actor } = mailed
  const deed = deedOf({ ...deps, by: { actor } }, 'link_created')
  await links.createLink(link, deed)
  tellOfFeed(deps, deed, feed, link.label)
}

async function rotate({ links, ...deps }: MailedLinkDeps, mailed: MailedLink): Promise<boolean> {
  const { feed, link, actor } = mailed
  const deed = deedOf({ ...deps, by: { actor } }, 'link_rotated')
  const old = { label: rotatedLabel(link.label, deed.at), endsAt: deed.at }
  if (!(await links.rotateLink(link, old, deed))) return false
  tellOfFeed(deps, deed, feed, link.label)
  return true
}
