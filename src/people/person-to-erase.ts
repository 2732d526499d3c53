import { personalKeys } from '../copies/kinds.ts'
import type { Actor } from '../domain/access/staff.ts'
import { noCompany } from '../domain/company.ts'
import type { Connection } from '../domain/connection.ts'
import { AppError } from '../domain/errors.ts'
import type { ErasedPerson, ErasureStore } from '../domain/people/erasure.ts'
import type { PersonInCompany } from '../domain/person.ts'

interface FindingDeps {
  readonly erasure: Pick<ErasureStore, 'listCompaniesOf'>
  /** By company. */
  readonly connections: ReadonlyMap<string, Connection>
}

/**
 * The person in the company that is named, or in the only one that knows them. `invalid` where several do and none is named, or
 * where there is no such company; `not_found` where none of several does.
 */
export async function findPersonToErase(
  deps: FindingDeps,
  { userId, companyId }: { readonly userId: string; readonly companyId: string | undefined },
  { companyId: only }: Pick<Actor, 'companyId'>,
): Promise<ErasedPerson> {
  const person = { userId, companyId: await companyOf(deps, userId, companyId) }
  return { ...person, ...keptOf(deps, person), isStaffAnywhere: only === null }
}

async function companyOf(
  { erasure, connections }: FindingDeps,
  userId: string,
  wanted: string | undefined,
): Promise<string> {
  const all = new Map([...connections].map(([id, connection]) => [id, connection.id]))
  const knowing = await erasure.listCompaniesOf(userId, personalKeys(userId), all)
  const possible = [...new Set([...connections.keys(), ...knowing])]
  if (wanted !== undefined) {
    if (possible.includes(wanted)) return wanted
    throw wrongCompany(noCompany(wanted, possible))
  }
  if (knowing.length > 1) {
    const detail = `Must be one of ${knowing.join(', ')}, since each of them knows "${userId}".`
    throw wrongCompany(detail)
  }
  const only = knowing[0] ?? (connections.size === 1 ? [...connections.keys()][0] : undefined)
  if (only !== undefined) return only
  throw new AppError('not_found', `No company knows "${userId}".`)
}

function wrongCompany(detail: string): AppError {
  const faults = [{ pointer: '/companyId', detail }]
  return new AppError('invalid', 'It is not clear whom to erase.', { faults })
}

function keptOf(
  { connections }: FindingDeps,
  { companyId, userId }: PersonInCompany,
): Pick<ErasedPerson, 'copyKeys' | 'otherConnectionIds'> {
  const others = [...connections].filter(([id]) => id !== companyId)
  const otherConnectionIds = others.map(([, { id }]) => id)
  return { copyKeys: personalKeys(userId), otherConnectionIds }
}
