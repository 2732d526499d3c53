import type { Transaction } from 'kysely'

import { type FeedLink } from '../../domain/link.ts'
import { type RotatedLink } from '../../domain/links/changes.ts'
import { lastingChoices } from '../../domain/links/replacement.ts'
import { choicesOf } from '../rows.ts'
import type { StoreTables } from '../tables.ts'
import { copyLedger } from './ledger-rows.ts'
import { endRotated } from './link-ends.ts'
import { findNamed, freeLabel, type NamedLink, renameLink } from './link-labels.ts'
import { linkRow } from './link-rows.ts'

/**
 * In its feed's turn: puts the link in the place of the one of its label; false where there is none, or not the one that was
 * meant.
 */
export async function rotate(
  transaction: Transaction<StoreTables>,
  link: FeedLink,
  old: RotatedLink,
): Promise<boolean> {
  const rotated = await findNamed(transaction, link)
  const end = { endsAt: old.endsAt, endingSince: link.createdAt, purged: false }
  if (!rotated || !(await endRotated(transaction, rotated.token_hash, end, old.tokenHash)))
    return false
  // Who replaces a mailed link subscribes by the new one.
  const awaitsPoll = rotated.awaits_poll === 1
  await takeLabel(transaction, { ...link, awaitsPoll }, rotated, old.label)
  return true
}

/** Adds the link under the label of another, which is renamed; both go on with its ledger, each for itself. */
export async function takeLabel(
  transaction: Transaction<StoreTables>,
  link: FeedLink,
  before: NamedLink,
  renamed: string,
): Promise<void> {
  await renameLink(transaction, link, await freeLabel(transaction, link.feedId, renamed))
  const choices = choicesOf({ feed_id: link.feedId, choices: before.choices })
  const lasting = { ...link, choices: lastingChoices({ choices }) }
  await transaction.insertInto('links').values(linkRow(lasting)).execute()
  await copyLedger(transaction, before.token_hash, link.tokenHash)
}
