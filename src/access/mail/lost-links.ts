import { randomInt } from 'node:crypto'

import { bridge } from '../../domain/access/staff.ts'
import type { Feed } from '../../domain/feed.ts'
import { foldedMail, onlyActiveOfEach, type PersonByMail } from '../../domain/person.ts'
import {
  isMailAddress,
  mailInTurn,
  mailNewLink,
  type MailingDeps,
  senderOf,
} from './invitations.ts'
import { composeLetter } from './letters.ts'
import { MailNotTaken } from './mailer.ts'

const waitingMax = 1000
const logDroppedEveryMs = 60_000
/** A random pause before each, so that the time of an answer tells nothing about an address. */
const pauseMs = { least: 1000, most: 4000 }
const mailsADay = 3
const feedsMax = 100

/** Mails a new link to people who have lost theirs. A request learns nothing: it is handled later, one after another. */
export class LostLinks {
  readonly #deps: MailingDeps
  readonly #waiting = new Set<string>()
  readonly #ending = new AbortController()
  #work = Promise.resolve()
  #dropped = 0
  #logging: Promise<void> | undefined

  constructor(deps: MailingDeps) {
    this.#deps = deps
    deps.measures?.watchQueue('lost_links', () => this.#waiting.size)
  }

  /** Takes any text; what is not an address, or waits already, costs nothing. */
  ask(text: string): void {
    const address = foldedMail(text)
    if (this.#ending.signal.aborted || !isMailAddress(address)) return
    if (this.#waiting.has(address)) return
    if (this.#waiting.size >= waitingMax) return this.drop()
    this.#waiting.add(address)
    this.#work = this.#work.then(() => this.#help(address)).catch(this.#logFailure)
  }

  /** Counts a dropped request; the log reports the count once a minute. */
  drop(): void {
    this.#dropped += 1
    this.#logging ??= this.#logDropped()
  }

  /** Drops what waits; resolves once the request in progress is done. */
  async close(): Promise<void> {
    this.#ending.abort(new Error('closing'))
    this.#dropped += this.#waiting.size
    this.#waiting.clear()
    this.#logging ??= this.#logDropped()
    await Promise.all([this.#work, this.#logging])
  }

  async #logDropped(): Promise<void> {
    while (this.#dropped > 0) {
      this.#deps.log.warn({ count: this.#dropped }, 'lost_link_dropped')
      this.#dropped = 0
      await this.#sleep(logDroppedEveryMs)
    }
    this.#logging = undefined
  }

  #sleep(ms: number): Promise<unknown> {
    return this.#deps.clock.sleep(ms, this.#ending.signal).catch(() => undefined)
  }

  readonly #logFailure = (error: unknown): void => {
    // A mail that was not taken is logged already.
    if (!(error instanceof MailNotTaken)) this.#deps.log.error({ error }, 'lost_link_failed')
  }

  async #help(address: string): Promise<void> {
    await this.#sleep(randomInt(pauseMs.least, pauseMs.most))
    if (!this.#waiting.delete(address)) return
    for (const { person, feed } of await this.#find(address)) {
      const mail = async (): Promise<void> => {
        // The address may belong to somebody else by now.
        await this.#deps.reread({ companyId: person.companyId, userId: person.userId })
        const found = await this.#find(address)
        const now = found.find((it) => it.feed.id === feed.id)
        if (!now) return
        const { firstName, lastName, email } = now.person
        const to = { name: [firstName, lastName].filter(Boolean).join(' '), address: email }
        // It is not known who asked.
        await mailNewLink(this.#deps, now.feed, bridge.actor, (page) =>
          composeLetter({
            kind: 'lost',
            sender: senderOf(this.#deps, person.companyId),
            to,
            firstName: firstName ?? '',
            feed: now.feed,
            page,
          }),
        )
      }
      // A failure in one company does not affect the others.
      await mailInTurn(this.#deps, person, mailsADay, mail).catch(this.#logFailure)
    }
  }

  /** The only active person with that address in each company, with their first open calendar. */
  async #find(
    address: string,
  ): Promise<readonly { readonly person: PersonByMail; readonly feed: Feed }[]> {
    const { peopleByMail, connections, feeds } = this.#deps
    const found = await peopleByMail.findByMail(address)
    const known = found.filter(({ companyId }) => connections.has(companyId))
    const mailable = onlyActiveOfEach(known).filter(({ email }) => isMailAddress(email))
    const withFeeds = mailable.map(async (person) => {
      const filter = { companyId: person.companyId, userIds: [person.userId], limit: feedsMax }
      const open = await feeds.listFeeds({ ...filter, state: 'open' })
      const feed = open.find(({ audience, userIds }) => audience === 'own' && userIds.length === 1)
      return feed ? [{ person, feed }] : []
    })
    return (await Promise.all(withFeeds)).flat()
  }
}
