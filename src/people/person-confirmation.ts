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
  readonly newcomers: Pick<NewcomerStore, 'findNewcomer' | 'settleNewcomer'>
  readonly identities: Pick<Identities, 'note' | 'replace'>
  readonly departures: DepartureWatch
  /** By company, as is what follows. */
  readonly trusts: ReadonlyMap<string, Pick<CompanyTrust, 'find' | 'trust'>>
  readonly connections: ReadonlyMap<string, Connection>
}

/** Whether an id that is held is still the same person's. */
export interface Confirmation {
  readonly userId: string
  /** Needed where it is held in several companies. */
  readonly companyId?: string | undefined
  readonly isSame: boolean
}

/** What was confirmed, and in which company. */
export interface Confirmed {
  readonly userId: string
  readonly companyId: string
  readonly person: 'same' | 'other'
}

/**
 * Settles an id that is held: the same person goes on under the new name and address, another one begins again. Where a changed
 * credential is in doubt, one who is the same settles that as well. `not_found` where the id is not held; `invalid` for an
 * unknown company, or where it is held in several and none is named.
 */
export async function confirmPerson(
  deps: ConfirmingDeps,
  { userId, companyId: wanted, isSame }: Confirmation,
  by: Actor,
): Promise<Confirmed> {
  const { newcomers, identities, departures, trusts, connections } = deps
  const companyId = await companyOf(deps, userId, wanted)
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
  // Where nothing is answered now, who they are is read later.
  if (connection) {
    await noteAnswer(
      departures,
      companyId,
      userId,
      await readPerson(connection, userId, { bypassCache: true }),
    )
  }
  return { ...person, person: answer }
}

async function companyOf(
  deps: ConfirmingDeps,
  userId: string,
  wanted: string | undefined,
): Promise<string> {
  const known = [...deps.connections.keys()]
  if (wanted !== undefined && !known.includes(wanted)) throw wrongCompany(noCompany(wanted, known))
  const possible = wanted === undefined ? known : [wanted]
  const held: string[] = []
  for (const companyId of possible) if (await isHeld(deps, companyId, userId)) held.push(companyId)
  const [companyId, ...others] = held
  if (others.length > 0) {
    throw wrongCompany(
      `Must be one of ${held.join(', ')}, since "${userId}" is held in each of them.`,
    )
  }
  if (companyId !== undefined) return companyId
  const where = wanted === undefined ? '' : ` in ${wanted}`
  throw new AppError(
    'not_found',
    `Nobody is held by the id "${userId}"${where}: there is nothing to confirm.`,
  )
}

async function isHeld(
  { newcomers, trusts }: ConfirmingDeps,
  companyId: string,
  userId: string,
): Promise<boolean> {
  if (await newcomers.findNewcomer(companyId, userId)) return true
  const trust = await trusts.get(companyId)?.find()
  return trust?.is === 'doubted' && [...trust.others, ...trust.nobody].includes(userId)
}

function wrongCompany(detail: string): AppError {
  const faults = [{ pointer: '/companyId', detail }]
  return new AppError('invalid', 'It is not clear who is meant.', { faults })
}
