import { randomInt } from 'node:crypto'

import { type AuditStore, saveAuditEvent } from '../../domain/access/audit-entry.ts'
import { type LostLinkStore, mailedLabel } from '../../domain/access/lost-link.ts'
import { bridge } from '../../domain/access/staff.ts'
import type { FeedStore } from '../../domain/feed-store.ts'
import type { Feed } from '../../domain/feed.ts'
import {
  type FeedLink,
  type LinkOfFeed,
  linkName,
  type LinkStore,
  type LinkAuditEvent,
} from '../../domain/link.ts'
import {
  type PersonInCompany,
  foldedMail,
  onlyActiveOfEach,
  type PeopleByMail,
  type PersonByMail,
} from '../../domain/person.ts'
import type { Clock, Log } from '../../domain/world.ts'
import { linkAddresses } from '../../feeds/feed-view.ts'
import { tellOfFeed, labelBefore, rotatedLabel, newLink } from '../../feeds/link-replacement.ts'
import { composeLetter } from './letters.ts'
import { MailNotTaken, mayBeDelivered, type Letter, type Mailer } from './mailer.ts'

/** Longer ones no server takes (RFC 5321 section 4.5.3.1.3). */
const lengthMax = 254

/**
 * One address, which no reader can take for several: no quoted words, comments or literals, which nobody has. Before the @ it
 * is of ASCII (RFC 5321 section 4.1.2): other letters a server without SMTPUTF8 may take for another mailbox's.
 */
const addressPattern =
  /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)*$/u

/** Whether mail can be sent to that address, and only to it. */
export function isMailAddress(text: string): boolean {
  return text.length <= lengthMax && addressPattern.test(text)
}

/** Where it is noted who mailed what, and by what clock. */
export interface MailAuditDeps {
  readonly audit: Pick<AuditStore, 'addEntry'>
  readonly clock: Clock
  readonly log: Log
}

/** Whose mail it was, and for which link. */
export interface MailedLink {
  readonly feed: Pick<Feed, 'id' | 'companyId' | 'userIds'>
  readonly label: string
  readonly actor: string
}

/** Does the mailing and notes whether it was taken; fails as it does. */
export async function noteMailing(
  deps: MailAuditDeps,
  { feed, label, actor }: MailedLink,
  mail: () => Promise<void>,
): Promise<void> {
  const { id: feedId, companyId, userIds } = feed
  const object = { companyId, feedId, userIds, label }
  try {
    await mail()
  } catch (error) {
    await saveAuditEvent(deps, { actor, action: 'mail_refused' }, object)
    // The server's reply may hold the address.
    const { fault, status } = error instanceof MailNotTaken ? error : {}
    deps.log.warn(
      { company: companyId, feed: feedId, fault: fault ?? 'not_sent', status, actor },
      'mail_failed',
    )
    throw error
  }
  await saveAuditEvent(deps, { actor, action: 'mail_sent' }, object)
}

const dayMs = 86_400_000
/** A link that no calendar program asks for ends so long after another one was mailed. */
const unusedDays = 7
/** As many as are mailed to one person a day: each can be used for a day at least, however often strangers ask. */
const untouchedMax = 3

export interface MailedLinksDeps {
  readonly links: Pick<LinkStore, 'mailLink' | 'takeUp'>
  readonly clock: Clock
  readonly log: Log
}

/** What mails links. */
export interface LinkMailingDeps extends MailedLinksDeps, MailAuditDeps {
  readonly lostLinks: LostLinkStore
  readonly mailer: Pick<Mailer, 'send'>
  readonly publicUrl: string
}

/** For whom a link is made, and who has it mailed. */
interface LinkMailing {
  readonly feed: Feed
  readonly actor: string
  /** What is mailed, of the link's page. */
  readonly letter: (page: string) => Letter
}

/**
 * Mails the person a link, unless they were mailed `most` within a day, on whatever node: then false. A mail that was not sent
 * does not count; one that may have been does.
 */
export async function mailInTurn(
  { lostLinks, clock }: Pick<LinkMailingDeps, 'lostLinks' | 'clock'>,
  { companyId, userId }: PersonInCompany,
  most: number,
  mail: () => Promise<void>,
): Promise<boolean> {
  const now = clock.now()
  const person = { companyId, userId }
  if (!(await lostLinks.takeTurn(person, { now, since: now - dayMs, most }))) return false
  await mail().catch(async (error: unknown) => {
    if (!mayBeDelivered(error)) await lostLinks.returnTurn(person, now)
    throw error
  })
  return true
}

/** Mails a new link, which is kept once the mail has been taken, or may have been; fails where it was not taken. */
export async function mailNewLink(
  deps: LinkMailingDeps,
  { feed, actor, letter }: LinkMailing,
): Promise<void> {
  const { mailer, clock, publicUrl } = deps
  const { link, token } = newLink({ feedId: feed.id, label: mailedLabel, createdAt: clock.now() })
  const { page } = linkAddresses(publicUrl, token, feed.name)
  const keep = (): Promise<void> => keepMailedLink(deps, { feed, link, actor })
  const mailing = noteMailing(deps, { feed, label: mailedLabel, actor }, () =>
    mailer.send(letter(page)),
  )
  await mailing.catch(async (error: unknown) => {
    if (mayBeDelivered(error)) await keep()
    throw error
  })
  await keep()
}

/**
 * Keeps a link that its person has been mailed. Anybody may ask for one, so it ends none that a calendar program uses: that
 * goes on until one asks for the new link.
 */
export async function keepMailedLink(
  deps: MailedLinksDeps,
  { feed, link, actor }: Omit<LinkMailing, 'letter'> & { readonly link: FeedLink },
): Promise<void> {
  const at = deps.clock.now()
  const before = {
    label: rotatedLabel(link.label, at),
    unusedEndAt: at + unusedDays * dayMs,
    untouchedMax,
  }
  const mailed = { ...link, awaitsPoll: true }
  tellAll(deps, feed, await deps.links.mailLink(mailed, before, { at, actor }))
}

/** Ends the links that were mailed before this one, which a calendar program has asked for. */
export async function takeUpMailedLink(
  deps: MailedLinksDeps,
  { feed, link }: LinkOfFeed,
): Promise<void> {
  const isBefore = (other: FeedLink): boolean =>
    labelBefore(other.label) === mailedLabel &&
    other.createdAt <= link.createdAt &&
    linkName(other) !== linkName(link)
  const by = { at: deps.clock.now(), actor: bridge.actor }
  tellAll(deps, feed, await deps.links.takeUp(link, isBefore, by))
}

function tellAll(
  deps: Pick<MailedLinksDeps, 'log'>,
  feed: Feed,
  auditEvents: readonly LinkAuditEvent[],
): void {
  for (const { auditEvent, label } of auditEvents) tellOfFeed(deps, auditEvent, feed, label)
}

/** Addresses that wait; further ones are dropped. */
const waitingMax = 1000
/** How often it is told that requests were dropped. */
const tellMs = 60_000
/** Before each, at random between these: what is done for one address can be told from nothing that is answered then. */
const pauseMs = { least: 1000, most: 4000 }
/** Of one person. */
const mailsADay = 3
const feedsMax = 100

export interface LostLinksDeps extends LinkMailingDeps {
  readonly people: Pick<PeopleByMail, 'findByMail'>
  readonly feeds: Pick<FeedStore, 'listFeeds'>
  /** Those whose Read API is set. */
  readonly companies: { has(companyId: string): boolean }
  /** Has the directory say of that person what the Read API does now, as far as it answers. */
  readonly reread: (person: PersonInCompany) => Promise<void>
}

interface Found {
  readonly person: PersonByMail
  readonly feed: Feed
}

/**
 * Mails a new link to people who have lost theirs. Nobody who asks learns anything: what is asked for is looked at later, one after
 * another, and nothing is said of what comes of it.
 */
export class LostLinks {
  readonly #deps: LostLinksDeps
  /** Folded as people are found by them, each once. */
  readonly #waiting = new Set<string>()
  readonly #ending = new AbortController()
  #work: Promise<void> | undefined
  #dropped = 0
  #telling: Promise<void> | undefined

  constructor(deps: LostLinksDeps) {
    this.#deps = deps
  }

  /** Takes any text, and answers nothing; what is no address costs nothing, nor does one that waits already. */
  ask(text: string): void {
    const address = foldedMail(text)
    if (this.#ending.signal.aborted || !isMailAddress(address)) return
    if (this.#waiting.has(address)) return
    if (this.#waiting.size >= waitingMax) return this.drop()
    this.#waiting.add(address)
    this.#work ??= this.#workOff()
  }

  /** Counts a request of which nothing comes; the log says once a minute how many there were. */
  drop(): void {
    this.#dropped += 1
    this.#telling ??= this.#tellDropped()
  }

  /** Drops what waits, and resolves once what is under way has come to its end. */
  async close(): Promise<void> {
    this.#ending.abort(new Error('closing'))
    this.#dropped += this.#waiting.size
    this.#waiting.clear()
    this.#telling ??= this.#tellDropped()
    await Promise.all([this.#work, this.#telling])
  }

  async #tellDropped(): Promise<void> {
    const { clock, log } = this.#deps
    while (this.#dropped > 0) {
      log.warn({ count: this.#dropped }, 'lost_link_dropped')
      this.#dropped = 0
      await clock.sleep(tellMs, this.#ending.signal).catch(() => undefined)
    }
    this.#telling = undefined
  }

  async #workOff(): Promise<void> {
    const { clock, log } = this.#deps
    const { signal } = this.#ending
    while (this.#waiting.size > 0) {
      await clock.sleep(randomInt(pauseMs.least, pauseMs.most), signal).catch(() => undefined)
      const [address] = this.#waiting
      if (address === undefined || signal.aborted) break
      this.#waiting.delete(address)
      await this.#help(address).catch((error: unknown) => {
        log.error({ error }, 'lost_link_failed')
      })
    }
    this.#work = undefined
  }

  /** One company's trouble is not another's. */
  async #help(address: string): Promise<void> {
    for (const found of await this.#find(address)) {
      await this.#helpOne(address, found).catch((error: unknown) => {
        // Of a mail that was not taken it is known already.
        if (!(error instanceof MailNotTaken)) this.#deps.log.error({ error }, 'lost_link_failed')
      })
    }
  }

  async #helpOne(address: string, { person, feed }: Found): Promise<void> {
    const { companyId, userId } = person
    await mailInTurn(this.#deps, person, mailsADay, async () => {
      // The address may be another's by now.
      await this.#deps.reread({ companyId, userId })
      const now = (await this.#find(address)).find((found) => found.feed.id === feed.id)
      if (now) await this.#mail(now)
    })
  }

  /** Of each company the one person of that address who is here, with their first open calendar. */
  async #find(address: string): Promise<readonly Found[]> {
    const { people, companies } = this.#deps
    const found = await people.findByMail(address)
    const known = found.filter(({ companyId }) => companies.has(companyId))
    const mailable = onlyActiveOfEach(known).filter(({ email }) => isMailAddress(email))
    return (await Promise.all(mailable.map((person) => this.#withFeed(person)))).flat()
  }

  async #withFeed(person: PersonByMail): Promise<readonly Found[]> {
    const { companyId, userId } = person
    const theirs = await this.#deps.feeds.listFeeds({
      companyId,
      userIds: [userId],
      state: 'open',
      limit: feedsMax,
    })
    const feed = theirs.find(({ audience, userIds }) => audience === 'own' && userIds.length === 1)
    return feed ? [{ person, feed }] : []
  }

  #mail({ person, feed }: Found): Promise<void> {
    const name = [person.firstName, person.lastName].filter(Boolean).join(' ')
    const to = { name, address: person.email }
    const firstName = person.firstName ?? ''
    return mailNewLink(this.#deps, {
      feed,
      // Who has asked is not known.
      actor: bridge.actor,
      letter: (page) => composeLetter({ kind: 'lost', to, firstName, feed, page }),
    })
  }
}
