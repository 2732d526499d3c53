import { asAppError } from '../domain/errors.ts'
import { openLink } from '../publishing/open-link.ts'
import type { UseCases } from './services.ts'

const label = 'sandbox'
/** Nobody has more of one's own. */
const feedsMax = 100

type PagesDeps = Pick<UseCases, 'administration' | 'links'>

/** The pages of people's calendars, by one link each; secrets lie in memory only, so that another start makes another link. */
export class PersonsPages {
  readonly #deps: PagesDeps
  readonly #pages = new Map<string, Promise<string | undefined>>()

  constructor(deps: PagesDeps) {
    this.#deps = deps
  }

  /** The page of somebody's own calendar, made where there is none; undefined for somebody whom the Read API does not know. */
  async pageOf(userId: string): Promise<string | undefined> {
    const known = this.#pages.get(userId)
    if (known && (await this.#opens(await known))) return known
    const made = this.#make(userId).catch((error: unknown) => {
      this.#pages.delete(userId)
      if (asAppError(error)?.code === 'invalid') return undefined
      throw error
    })
    this.#pages.set(userId, made)
    return made
  }

  async #opens(page: string | undefined): Promise<boolean> {
    if (page === undefined) return false
    try {
      await openLink(this.#deps.links, page.slice(page.lastIndexOf('/') + 1))
      return true
    } catch {
      return false
    }
  }

  async #make(userId: string): Promise<string | undefined> {
    const { listing, creation, feedLinks } = this.#deps.administration
    const { data } = await listing.list({ userId, state: 'open', limit: feedsMax })
    const own = data.find(({ audience, userIds }) => audience === 'own' && userIds.length === 1)
    if (!own) return (await creation.create({ userIds: [userId] })).page
    const isThere = own.links.some((link) => link.label === label && link.endsAt === null)
    const made = isThere
      ? await feedLinks.rotate(own.id, { label })
      : await feedLinks.create(own.id, { label })
    return made.page
  }
}
