import { type Deed, type DeedObject, tellDeed } from '../domain/access/audit-entry.ts'
import {
  type ApiToken,
  type Actor,
  refuseOtherCompany,
  type TokenStore,
} from '../domain/access/staff.ts'
import { noCompany } from '../domain/company.ts'
import { AppError, asAppError } from '../domain/errors.ts'
import type { Clock, Log } from '../domain/world.ts'
import { deedOf } from '../feeds/deeds.ts'
import { parseInput } from '../feeds/feed-input.ts'
import { toIso } from '../feeds/feed-view.ts'
import { makeSecret } from './secrets.ts'
import { type CreatedTokenView, newTokenSchema, type TokenPage, viewToken } from './token-view.ts'

interface ApiTokensDeps {
  readonly tokens: Pick<TokenStore, 'createToken' | 'listTokens' | 'deleteToken'>
  /** By company. */
  readonly connections: ReadonlyMap<string, object>
  readonly clock: Clock
  readonly log: Log
}

/** Makes, lists and revokes further tokens for the API; those of one company only that company's. */
export class ApiTokens {
  readonly #deps: ApiTokensDeps

  constructor(deps: ApiTokensDeps) {
    this.#deps = deps
  }

  /**
   * A new token, its secret shown only here; of the maker's own company where none is named. `invalid` for wrong input,
   * `not_found` for another company than the maker's, `conflict` for a name in use.
   */
  async create(by: Actor, input: unknown): Promise<CreatedTokenView> {
    const wanted = parseInput(newTokenSchema, input, { what: 'The token' })
    const { name, role, companyId = by.companyId } = wanted
    this.#refuseCompany(by, wanted.companyId)
    const { secret: token, hash: tokenHash } = makeSecret('cft')
    const deed = deedOf({ ...this.#deps, by }, 'token_created')
    const createdAt = deed.at
    const kept: ApiToken = { name, tokenHash, role, companyId, createdAt, lastUsedAt: null }
    await this.#deps.tokens.createToken(kept, deed, by.companyId).catch((error: unknown) => {
      throw nameInUse(error, name)
    })
    this.#tell(deed, kept)
    return { name, role, companyId, token, createdAt: toIso(createdAt) }
  }

  /** All that there are, by name; never with their secret. */
  async list({ companyId }: Pick<Actor, 'companyId'>): Promise<TokenPage> {
    const tokens = await this.#deps.tokens.listTokens(companyId)
    return { data: tokens.map(viewToken), nextCursor: null }
  }

  /**
   * It opens nothing any more, on any node. Where no company is named it is the token of all companies, or else the only one of
   * that name. Gives it; `not_found` where there is none, `conflict` where several companies have one.
   */
  async revoke(by: Actor, name: string, wanted?: string): Promise<Pick<ApiToken, 'companyId'>> {
    refuseOtherCompany(by.companyId, wanted)
    const deed = deedOf({ ...this.#deps, by }, 'token_revoked')
    const { tokens } = this.#deps
    const revoked = await tokens
      .deleteToken(name, wanted ?? by.companyId, deed)
      .catch((error: unknown) => {
        throw nameOfSeveral(error, name)
      })
    if (!revoked) throw new AppError('not_found', `There is no token "${name}".`)
    this.#tell(deed, revoked)
    return revoked
  }

  #refuseCompany(by: Actor, wanted: string | undefined): void {
    const { connections } = this.#deps
    refuseOtherCompany(by.companyId, wanted)
    if (wanted === undefined || wanted === by.companyId || connections.has(wanted)) return
    const faults = [{ pointer: '/companyId', detail: noCompany(wanted, connections.keys()) }]
    throw new AppError('invalid', 'The token is not valid.', { faults })
  }

  #tell(deed: Deed, { name: label, companyId }: Pick<ApiToken, 'name' | 'companyId'>): void {
    const object: Partial<DeedObject> = { companyId, label }
    tellDeed(this.#deps.log, deed, object)
  }
}

function nameOfSeveral(error: unknown, name: string): unknown {
  if (asAppError(error)?.code !== 'conflict') return error
  const message = `Several companies have a token "${name}": name the company, too.`
  return new AppError('conflict', message, { cause: error })
}

function nameInUse(error: unknown, name: string): unknown {
  if (asAppError(error)?.code !== 'conflict') return error
  return new AppError('conflict', `There is a token "${name}" already.`, { cause: error })
}
