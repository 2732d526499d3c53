/* What links serve, and with it the ledgers that it was made by. */
import type { Kysely } from 'kysely'

import type { NextLedger, Publication } from '../../domain/ledger.ts'
import type { FeedLink } from '../../domain/link.ts'
import { nextLedger } from '../ledger-store.ts'
import { changeRow } from '../rows.ts'
import type { StoreTables } from '../tables.ts'
import { replaceLedger } from './ledger-rows.ts'
import { publicationColumns } from './link-rows.ts'

type Queries = Kysely<StoreTables>

interface Replacement {
  readonly link: Pick<FeedLink, 'tokenHash'>
  readonly before: Publication | null
  readonly now: Publication
  readonly ledger: NextLedger | undefined
}

/** As `LinkStore.savePublication` says. The link comes first, as it does where it is removed with its ledger. */
export async function replacePublication(
  queries: Queries,
  { ledger, ...replacement }: Replacement,
): Promise<boolean> {
  if (!ledger) return servesFromNow(queries, replacement)
  const next = await nextLedger(replacement.link.tokenHash, ledger)
  return allOrNothing(queries, [
    (transaction) => servesFromNow(transaction, replacement),
    (transaction) => replaceLedger(transaction, next),
  ])
}

/** False if the link did not still serve what was there before. */
function servesFromNow(
  queries: Queries,
  { link, before, now }: Omit<Replacement, 'ledger'>,
): Promise<boolean> {
  const { fingerprint, etag, last_modified: lastModified } = publicationColumns(before)
  const stillServing = queries
    .updateTable('links')
    .where('token_hash', '=', link.tokenHash)
    .where('fingerprint', 'is not distinct from', fingerprint)
    .where('etag', 'is not distinct from', etag)
    .where('last_modified', 'is not distinct from', lastModified)
  return changeRow(stillServing.set(publicationColumns(now)))
}

/** Takes the steps one after the other; false, and nothing is changed, where one does not find what it changes. */
async function allOrNothing(
  queries: Queries,
  steps: readonly ((transaction: Queries) => Promise<boolean>)[],
): Promise<boolean> {
  const outdated = new Error('It has been changed meanwhile.')
  const taken = queries.transaction().execute(async (transaction) => {
    for (const step of steps) if (!(await step(transaction))) throw outdated
    return true
  })
  return taken.catch((error: unknown) => {
    if (error === outdated) return false
    throw error
  })
}
