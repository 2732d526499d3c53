/* Links that are mailed to who has lost theirs: the one mailed before goes on until a calendar program asks for the new one. */
import type { Transaction } from 'kysely'

import type { AuditAction, Deed } from '../../domain/access/audit-entry.ts'
import type { FeedLink } from '../../domain/link.ts'
import type { LinkDeed, MailedBefore } from '../../domain/links/changes.ts'
import { noteOnLink } from '../access/deeds.ts'
import { changeRow } from '../rows.ts'
import type { StoreTables } from '../tables.ts'
import { endUnlessEarlier, hasNoCertainEnd } from './link-ends.ts'
import { addLink, findNamed, renameEndedLink } from './link-labels.ts'
import { takeLabel } from './link-rotation.ts'

type Steps = Transaction<StoreTables>
type By = Omit<Deed, 'action'>

/** As `LinkStore.mailLink` says, in its feed's turn. */
export async function addMailed(
  steps: Steps,
  link: FeedLink,
  before: MailedBefore,
  by: By,
): Promise<readonly LinkDeed[]> {
  const ends = await endUntouched(steps, link, before.untouchedMax - 1, by)
  await steps
    .updateTable('links')
    .set({ ends_at: before.unusedEndAt, ending_since: link.createdAt })
    .where('feed_id', '=', link.feedId)
    .where('awaits_poll', '=', 1)
    .where('ends_at', 'is', null)
    .execute()
  const ended = await renameEndedLink(steps, link)
  const named = await findNamed(steps, link)
  if (named) await takeLabel(steps, link, named, before.label)
  else await addLink(steps, link, ended)
  return [...ends, await note(steps, by, named ? 'link_rotated' : 'link_created', link)]
}

/** As `LinkStore.takeUp` says, in its feed's turn, of the links that were mailed before. */
export async function takeUp(
  steps: Steps,
  link: FeedLink,
  before: readonly FeedLink[],
  by: By,
): Promise<readonly LinkDeed[]> {
  const waiting = steps
    .updateTable('links')
    .where('token_hash', '=', link.tokenHash)
    .where('awaits_poll', '=', 1)
    .where(hasNoCertainEnd(by.at))
  const goesOn = { awaits_poll: 0, ends_at: null, ending_since: null }
  return (await changeRow(waiting.set(goesOn))) ? endAll(steps, before, by) : []
}

/** Ends all but the last of the links that nobody has asked for since they were mailed, not even a browser. */
async function endUntouched(
  steps: Steps,
  { feedId }: FeedLink,
  left: number,
  by: By,
): Promise<readonly LinkDeed[]> {
  const untouched = await steps
    .selectFrom('links')
    .select(['feed_id as feedId', 'label', 'token_hash as tokenHash'])
    .where('feed_id', '=', feedId)
    .where('awaits_poll', '=', 1)
    .where(hasNoCertainEnd(by.at))
    .where((links) =>
      links.not(
        links.exists(
          links
            .selectFrom('activity')
            .select('polls')
            .whereRef('activity.token_hash', '=', 'links.token_hash'),
        ),
      ),
    )
    .orderBy('created_at', 'desc')
    .execute()
  return endAll(steps, untouched.slice(left), by)
}

async function endAll(
  steps: Steps,
  links: readonly Pick<FeedLink, 'feedId' | 'label' | 'tokenHash'>[],
  by: By,
): Promise<readonly LinkDeed[]> {
  const end = { endsAt: by.at, endingSince: by.at, purged: false }
  const ends: LinkDeed[] = []
  for (const link of links) {
    if (!(await endUnlessEarlier(steps, link.tokenHash, end))) continue
    ends.push(await note(steps, by, 'link_ended', link))
  }
  return ends
}

async function note(
  steps: Steps,
  by: By,
  action: AuditAction,
  link: Pick<FeedLink, 'feedId' | 'label'>,
): Promise<LinkDeed> {
  const deed = { ...by, action }
  await noteOnLink(steps, deed, link)
  return { deed, label: link.label }
}
