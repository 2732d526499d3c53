import { asAppError } from '../domain/errors.ts'
import type { Feed } from '../domain/feed.ts'
import type { FeedLink, LinkStore } from '../domain/link.ts'
import type { Clock, Log } from '../domain/world.ts'
import { deedOf, tellOfFeed } from '../feeds/deeds.ts'
import { rotatedLabel } from '../feeds/links-going-on.ts'

const triesMax = 5

interface MailedLinkDeps {
  readonly links: Pick<LinkStore, 'createLink' | 'rotateLink'>
  readonly clock: Clock
  readonly log: Log
}

/** A link that its person has been mailed. */
interface MailedLink {
  readonly feed: Feed
  readonly link: FeedLink
  readonly actor: string
}

/** Keeps the link; the open one of its label ends. */
export async function keepMailedLink(deps: MailedLinkDeps, mailed: MailedLink): Promise<void> {
  // Another node, or HR, may make one or end it meanwhile.
  for (let count = 0; count < triesMax; count += 1) {
    if ((await create(deps, mailed)) || (await rotate(deps, mailed))) return
  }
  throw new Error('The links of the feed changed too often.')
}

/** False where there is an open one of its label. */
async function create({ links, ...deps }: MailedLinkDeps, mailed: MailedLink): Promise<boolean> {
  const { feed, link, actor } = mailed
  const deed = deedOf({ ...deps, by: { actor } }, 'link_created')
  try {
    await links.createLink(link, deed)
  } catch (error) {
    if (asAppError(error)?.code === 'conflict') return false
    throw error
  }
  tellOfFeed(deps, deed, feed, link.label)
  return true
}

/** False where there is none of its label. */
async function rotate({ links, ...deps }: MailedLinkDeps, mailed: MailedLink): Promise<boolean> {
  const { feed, link, actor } = mailed
  const deed = deedOf({ ...deps, by: { actor } }, 'link_rotated')
  const old = { label: rotatedLabel(link.label, deed.at), endsAt: deed.at }
  if (!(await links.rotateLink(link, old, deed))) return false
  tellOfFeed(deps, deed, feed, link.label)
  return true
}
