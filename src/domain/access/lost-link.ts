import type { PersonInCompany } from '../person.ts'
import type { Instant } from '../world.ts'

/** What the link is called that is mailed to who has lost theirs; the one mailed before is renamed. */
export const mailedLabel = 'mail'

/** How often a person is mailed a link that was lost. */
export interface LostLinkStore {
  /**
   * Notes that the person is mailed one now, on whatever node; false where they were `most` times since that instant. What is
   * older than that is forgotten.
   */
  takeTurn(
    person: PersonInCompany,
    at: { readonly now: Instant; readonly since: Instant; readonly most: number },
  ): Promise<boolean>
  /** Forgets the turn that the person took at that instant: nothing was mailed. */
  returnTurn(person: PersonInCompany, now: Instant): Promise<void>
}
