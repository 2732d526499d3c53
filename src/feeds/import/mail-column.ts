import type { InputFault } from '../../domain/errors.ts'
import { foldedMail } from '../../domain/person.ts'
import type { FeedDraft } from '../feed-drafts.ts'
import type { PersonNames } from '../many/person-names.ts'
import type { CsvRecord } from './read-csv.ts'
import { readCell } from './write-csv.ts'

/**
 * What is wrong with the mail address of a row: mail goes to the address that the workforce system has, so another one
 * would be ignored. Nothing where nobody knows the person at the moment, of which the draft warns.
 */
export async function mailFaults(
  record: CsvRecord | undefined,
  draft: FeedDraft,
  names: Pick<PersonNames, 'find'>,
): Promise<readonly InputFault[]> {
  const given = readCell(record?.cells['email'] ?? '').trim()
  if (given === '') return []
  const known = await knownMail(draft, names)
  if (known === undefined || foldedMail(given) === foldedMail(known)) return []
  const has = known.trim() || 'no address of this person'
  const detail = `The workforce system has ${has}: correct it there, or leave this cell empty.`
  return [{ pointer: '/email', detail }]
}

/** Empty where the person has none; undefined where nobody says. */
async function knownMail(
  { users: [user], feed }: FeedDraft,
  names: Pick<PersonNames, 'find'>,
): Promise<string | undefined> {
  if (user) return user.email ?? ''
  const { email } = await names.find(feed.companyId, feed.userIds[0] ?? '')
  return email || undefined
}
