import type { Actor } from '../domain/access/staff.ts'
import { noCompany } from '../domain/company.ts'
import type { Connection } from '../domain/connection.ts'
import type { DepartureWatch } from '../domain/departure.ts'
import { AppError } from '../domain/errors.ts'
import type { NewcomerStore } from '../domain/person.ts'
import type { CompanyTrust } from './company-trust.ts'
import type { Identities } from './identities.ts'
import { noteAnswer, readPerson } from './person-state.ts'

export interface ConfirmingDeps {
  readonly newcomers: NewcomerStore
  readonly identities: Identities
  readonly departures: DepartureWatch
  /** By company, as are the connections. */
  readonly trusts: ReadonlyMap<string, CompanyTrust>
  readonly connections: ReadonlyMap<string, Connection>
}

/**
 * Settles an id on hold: the same person continues under the new name and address, another one begins again. Where a changed
 * credential is in doubt, a person who is the same settles that, too. `not_found` where the id is not on hold; `invalid` for an
 * unknown company, or where it is on hold in several and none is given.
 */
export async function confirmPerson(
  deps: ConfirmingDeps,
  asked: {
    readonly userId: string
    readonly companyId?: string | undefined
    readonly isSame: boolean
  },
  by: Actor,
): Promise<{ userId: string; companyId: string; person: 'same' | 'other' }> {
  const { newcomers, identities, departures, trusts, connections } = deps
  const { userId, isSame } = asked
  const companyId = await companyOf(deps, userId, asked.companyId)
  const person = { companyId, userId }
  const answer = isSame ? 'same' : 'other'
  await identities.note(person, 'person_confirmed', by, answer)
  if (isSame) {
    await newcomers.settleNewcomer(person)
    await trusts.get(companyId)?.trust()
  } else {
    await identities.replace(person, by)
  }
  const connection = connections.get(companyId)
  // If there is no answer now, the person is read later.
  const read = connection && (await readPerson(connection, userId, { bypassCache: true }))
  if (read) await noteAnswer(departures, companyId, userId, read)
  return { ...person, person: answer }
}

async function companyOf(
  { connections, newcomers, trusts }: ConfirmingDeps,
  userId: string,
  wanted: string | undefined,
): Promise<string> {
  const known = [...connections.keys()]
  if (wanted !== undefined && !known.includes(wanted)) throw wrongCompany(noCompany(wanted, known))
  const held: string[] = []
  for (const id of wanted === undefined ? known : [wanted]) {
    const isNewcomer = (await newcomers.findNewcomer(id, userId)) !== undefined
    const trust = isNewcomer ? undefined : await trusts.get(id)?.find()
    const isDoubted = trust?.is === 'doubted' && [...trust.others, ...trust.nobody].includes(userId)
    if (isNewcomer || isDoubted) held.push(id)
  }
  const [companyId, ...others] = held
  if (others.length > 0) {
    const ids = held.join(', ')
    throw wrongCompany(`Must be one of ${ids}, since "${userId}" is held in each of them.`)
  }
  if (companyId !== undefined) return companyId
  const where = wanted === undefined ? '' : ` in ${wanted}`
  const message = `Nobody is held by the id "${userId}"${where}: there is nothing to confirm.`
  throw new AppError('not_found', message)
}

function wrongCompany(detail: string): AppError {
  const faults = [{ pointer: '/companyId', detail }]
  return new AppError('invalid', 'It is not clear who is meant.', { faults })
}
