import type { Transaction } from 'kysely'

import { type FeedLink } from '../../domain/link.ts'
import { type RotatedLink } from '../../domain/links/changes.ts'
import { lastingChoices } from '../../domain/links/replacement.ts'
import { choicesOf } from '../rows.ts'
import type { StoreTables } from '../tables.ts'
import { copyLedger } from './ledger-rows.ts'
import { endRotated } from './link-ends.ts'
import { findNamed, freeLabel, renameLink } from './link-labels.ts'
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
  await renameLink(transaction, link, await freeLabel(transaction, link.feedId, old.label))
  const before = choicesOf({ feed_id: link.feedId, choices: rotated.choices })
  const lasting = { ...link, choices: lastingChoices({ choices: before }) }
  await transaction.insertInto('links').values(linkRow(lasting)).execute()
  await copyLedger(transaction, rotated.token_hash, link.tokenHash)
  return true
}
