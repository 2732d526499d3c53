import type { Staff, TokenStore } from '../domain/access/staff.ts'
import type { Clock } from '../domain/world.ts'
import { isAdminToken } from './admin-token.ts'
import { hashSecret } from './secrets.ts'

/** Uses within it are noted once: a note for each would cost more than what is asked. */
const notedEveryMs = 60_000

interface StaffTokensDeps {
  readonly tokens: Pick<TokenStore, 'findByHash' | 'markUsed'>
  readonly clock: Clock
  readonly adminToken: string
}

/** Whose a token is that comes with a request. */
export class StaffTokens {
  readonly #deps: StaffTokensDeps

  constructor(deps: StaffTokensDeps) {
    this.#deps = deps
  }

  /** undefined for a token that opens nothing. */
  async find(given: string): Promise<Staff | undefined> {
    const { tokens, adminToken, clock } = this.#deps
    if (isAdminToken(given, adminToken)) return { actor: 'admin', role: 'admin', companyId: null }
    const tokenHash = hashSecret('cft', given)
    const token = tokenHash && (await tokens.findByHash(tokenHash))
    if (!token) return undefined
    const now = clock.now()
    const notedBefore = now - notedEveryMs
    if ((token.lastUsedAt ?? notedBefore) <= notedBefore) {
      await tokens.markUsed(token.tokenHash, now, notedBefore)
    }
    const { name, role, companyId } = token
    // A token of all companies may have the same name.
    const called = companyId === null ? name : `${companyId}/${name}`
    return { actor: `token:${called}`, role, companyId }
  }
}
