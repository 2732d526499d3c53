import type { AuditAction, Deed } from '../../domain/access/audit-entry.ts'
import { AppError } from '../../domain/errors.ts'
import {
  certainEnd,
  type Choices,
  type FeedLink,
  hashToken,
  type LinkOfFeed,
  type LinkStore,
  makeToken,
} from '../../domain/link.ts'
import { replacementToken } from '../../domain/links/replacement.ts'
import type { Clock, Log } from '../../domain/world.ts'
import { refuseEnded } from '../../publishing/open-link.ts'
import { changesADayMax, deedOf, tellOfFeed } from '../deeds.ts'
import { rotatedLabel } from '../links-going-on.ts'
import { newLink } from '../new-link.ts'
import { isSameChoice, readChoices, showsNothing } from './choices.ts'

/** Each leaves a link behind that is remembered for long. */
const replacementsADayMax = 10
/** For how long a form that was sent again is answered as it was the first time. */
const sentAgainMs = 600_000

/** Nothing is known of them but the link. */
const holder = { actor: 'holder' }

interface LinkHoldingDeps {
  readonly links: Pick<LinkStore, 'changeChoices' | 'rotateLink' | 'endThis' | 'findByTokenHash'>
  readonly clock: Clock
  readonly log: Log
}

/** What became of a choice; one that is not kept would have switched everything off. */
export interface ChoiceMade {
  readonly choices: Choices
  readonly isKept: boolean
  /** The link and its feed as they were when it was made. */
  readonly before: LinkOfFeed
}

/** A link that has been replaced, and the secret of the one in its place. */
export interface Replacement extends LinkOfFeed {
  readonly token: string
}

/** Whether a holder may change anything of the link: one that is to end, perhaps since strangers know it, only shows. */
export function isHeld(link: Pick<FeedLink, 'endsAt' | 'awaitsPoll'>): boolean {
  return certainEnd(link) === null
}

/**
 * Whether the holder of the link may end or replace it: always of their own calendar, and of one that is handed to
 * several readers, all of whom that would hit, only where HR lets them choose.
 */
export function mayGiveUp({ feed, link }: LinkOfFeed): boolean {
  return isHeld(link) && (feed.audience === 'own' || feed.options.selfService)
}

/** What the holder of a link, who has nothing but its secret, does with it on its page. */
export class LinkHolding {
  readonly #deps: LinkHoldingDeps

  constructor(deps: LinkHoldingDeps) {
    this.#deps = deps
  }

  /**
   * Keeps what is chosen in a form, for this link alone. `invalid` for what is no choice, `forbidden` for what HR does not
   * allow and for a link that is to end, `gone` where it has ended meanwhile, `too_many_requests` once that has been done too
   * often within a day. Several at once all hold, each made of what
   * the one before has left.
   */
  async choose({ link }: LinkOfFeed, form: unknown): Promise<ChoiceMade> {
    const deed = { ...this.#deed('choices_changed'), mostADay: changesADayMax }
    const change = (now: LinkOfFeed): Choices => {
      const { choices, isKept } = this.#choiceOf(now, form)
      return isKept ? choices : now.link.choices
    }
    const before = await this.#deps.links.changeChoices(link, change, deed)
    if (!before) throw ended()
    const made = this.#choiceOf(before, form)
    const isNew = made.isKept && !isSameChoice(made.choices, before.link.choices)
    if (isNew) tellOfFeed(this.#deps, deed, before.feed, before.link.label)
    return { ...made, before }
  }

  #choiceOf({ feed, link }: LinkOfFeed, form: unknown): Omit<ChoiceMade, 'before'> {
    refuseEnded(feed, link, this.#deps.clock.now())
    if (!isHeld(link)) throw new AppError('forbidden', 'This address is about to end.')
    const choices = readChoices(feed, link.choices, form)
    return { choices, isKept: !showsNothing(feed, choices) }
  }

  /**
   * Ends the link now and gives the secret of the one in its place. `forbidden` where the holder may not; `gone` where it
   * has been ended or replaced meanwhile: who takes its place answers to nobody who knows only the old secret;
   * `too_many_requests` once that has been done too often within a day. Of a form with a key, see `makeReplacementKey`,
   * the secret follows from that.
   */
  async replace(open: LinkOfFeed, key?: string): Promise<string> {
    refuseToGiveUp(open)
    const secret = key === undefined ? makeToken() : replacementToken(key, open.link)
    const { feedId, label, tokenHash } = open.link
    const now = this.#deps.clock.now()
    const { link, token } = newLink({ feedId, label, createdAt: now }, secret)
    const old = { label: rotatedLabel(label, now), endsAt: now, tokenHash }
    const deed = { ...this.#deed('link_replaced'), mostADay: replacementsADayMax }
    if (!(await this.#deps.links.rotateLink(link, old, deed))) throw ended()
    tellOfFeed(this.#deps, deed, open.feed, label)
    return token
  }

  /**
   * What the form with that key has done already, for a short while, so that a second press of its button, which takes the
   * place of the first, brings the first one's answer: nobody else knows the key. Undefined where it has done nothing, or
   * the new link has ended as well.
   */
  async findReplacement(oldToken: string, key: string): Promise<Replacement | undefined> {
    const old = await this.#find(oldToken)
    if (!old) return undefined
    const token = replacementToken(key, old.link)
    const made = await this.#find(token)
    const since = this.#deps.clock.now() - sentAgainMs
    if (!made || made.link.endsAt !== null || made.link.createdAt < since) return undefined
    refuseEnded(made.feed, made.link, this.#deps.clock.now())
    return { ...old, token }
  }

  async #find(token: string): Promise<LinkOfFeed | undefined> {
    const tokenHash = hashToken(token)
    return tokenHash && this.#deps.links.findByTokenHash(tokenHash)
  }

  /** Ends the link now; the feed's other links go on. `forbidden` and `gone` as for a replacement. */
  async end(open: LinkOfFeed): Promise<void> {
    refuseToGiveUp(open)
    const deed = this.#deed('link_ended')
    if (!(await this.#deps.links.endThis(open.link, deed.at, deed))) throw ended()
    tellOfFeed(this.#deps, deed, open.feed, open.link.label)
  }

  #deed(action: AuditAction): Deed {
    return deedOf({ ...this.#deps, by: holder }, action)
  }
}

function refuseToGiveUp(open: LinkOfFeed): void {
  if (!mayGiveUp(open)) throw new AppError('forbidden', 'This address is not the holder’s to end.')
}

function ended(): AppError {
  return new AppError('gone', 'This calendar has ended.')
}
