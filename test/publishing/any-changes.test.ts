/* Property test like test/dav/any-sync.test.ts, but without a bridge, so that it can try thousands of histories. */
import fc from 'fast-check'
import { expect, inject, it } from 'vitest'

import { hashEvent, type WrittenEvent } from '../../src/calendar/vevent.ts'
import { parseSyncToken, syncToken } from '../../src/dav/sync-token.ts'
import type { Ledger, Publication } from '../../src/domain/ledger.ts'
import {
  type CalendarObjects,
  type Changes,
  changesSince,
  readObjects,
  writeObjects,
} from '../../src/publishing/calendar-objects.ts'
import { nextLedger, Revisions } from '../../src/publishing/ledger.ts'
import { nextModified, nextPublication, weakTag } from '../../src/publishing/publication.ts'

const dayMs = 86_400_000
const empty: Ledger = { version: 0, entries: new Map() }

interface Link {
  readonly name: string
  readonly from: Link | null
  readonly madeAfter: number
  ledger: Ledger
  publication: Publication | null
}

interface Origin extends Readonly<Pick<World, 'epoch' | 'acts' | 'changes'>> {
  readonly link: Link
}

interface Client {
  readonly link: Link
  /** The ETags by name. */
  readonly held: ReadonlyMap<string, string>
  readonly token: string
  /** Where the token comes from. */
  readonly origin: Origin | null
}

class World {
  now = Date.UTC(2026, 0, 5, 12)
  #nowMin = -Infinity
  /** Whether a node of the release before published a link first: it may date that before what the link continues. */
  #isMixed = false
  readonly contents = new Map<string, string>()
  name = 'Work'
  acts = 0
  /** Of these at most one can differ in the next publication. */
  changes = 0
  /** Rises whenever tokens may be forgotten. */
  epoch = 0
  links: Link[] = []
  readonly clients: Client[]
  readonly saved: Client[] = []
  #backup: (() => void) | undefined

  constructor() {
    const link = this.addLink()
    this.clients = Array.from({ length: 3 }, () => ({
      link,
      held: new Map<string, string>(),
      token: '',
      origin: null,
    }))
  }

  addLink(from: Link | null = null): Link {
    const name = `link${this.links.length}`.padEnd(8, '_')
    const ledger = from?.ledger ?? empty
    const [, , last] = ledger.history?.ranges.at(-1) ?? []
    if (from?.publication && last !== from.publication.lastModified) this.epoch += 1
    const link = { name, from, madeAfter: this.acts, ledger, publication: null }
    this.links.push(link)
    return link
  }

  /** As `Publisher` does; `isOld` as the release before does. */
  publish(link: Link, isOld = false): Published {
    const { ledger, publication: before } = link
    const at = nextModified(before, isOld ? undefined : ledger.history, this.now)
    const published = { link: link.name, at, before: before?.lastModified }
    const revisions = new Revisions(ledger, this.now, isOld ? undefined : published)
    const events = [...this.contents].map(([uid, content]) => {
      const hashed = hashEvent(uid, content)
      const { sequence, changedAt } = revisions.of(hashed)
      return {
        ...hashed,
        ...allDay,
        text: [uid, content, sequence, changedAt].join(' '),
      } as WrittenEvent
    })
    const revised = revisions.after(events.length)
    const etag = weakTag(JSON.stringify([this.name, events]))
    link.publication = nextPublication(before, etag, etag, at)
    const isSame = before?.etag === link.publication.etag
    const next = nextLedger(ledger, revised, isSame)
    if (isOld && !isSame && !(before && ledger.history)) this.epoch += 1
    if (isOld && !before) this.#isMixed = true
    // It cannot be told from one that was purged.
    if (!isOld && ledger.version === 0 && before && !isSame) this.epoch += 1
    const isWritten = isOld ? revised.changed : next !== undefined
    if (isWritten) {
      const { entries, history } = next ?? revised.ledger
      const kept = [...entries].map(([key, { publishedAt, ...entry }]) => {
        const isDated = !isOld && history !== undefined && publishedAt !== undefined
        return [key, isDated ? { ...entry, publishedAt } : entry] as const
      })
      const version = ledger.version + 1
      link.ledger = { version, entries: new Map(kept), history: isOld ? undefined : history }
      if (isOld) this.epoch += 1
    }
    const written = writeObjects({ timezone: 'UTC' }, events, next ?? ledger, link.publication)
    return { objects: readObjects(Buffer.from(written)), at: link.publication.lastModified }
  }

  backUp(): void {
    const links = this.links.map((link) => ({ link, ...link }))
    this.#backup = () => {
      for (const { link, ledger, publication } of links)
        Object.assign(link, { ledger, publication })
    }
  }

  put(uid: string, content: string): void {
    this.changes += 1
    this.contents.set(uid, content)
  }

  remove(uid: string): void {
    this.changes += 1
    this.contents.delete(uid)
  }

  rename(name: string): void {
    this.changes += 1
    this.name = name
  }

  /** The client goes on with another link. */
  move(index: number, link: number): void {
    this.clients[index] = { ...this.clients[index]!, link: linkAt(this, link) }
  }

  save(index: number): void {
    this.saved.push(this.clients[index]!)
  }

  /** The client is again what one was before. */
  goBack(index: number, to: number): void {
    this.clients[index] = this.saved[to % this.saved.length] ?? this.clients[index]!
  }

  /** The clock is not set back behind a restore. */
  wait(ms: number): void {
    if (ms > 100 * dayMs) this.epoch += 1
    this.now = Math.max(this.now + ms, this.#nowMin)
  }

  /** Puts back what was backed up, later than all that was published. */
  restore(): void {
    if (!this.#backup) return
    const times = this.links.map(({ publication }) => publication?.lastModified ?? 0)
    this.now = Math.max(this.now, ...times.map((at) => at + 5000))
    this.#nowMin = this.now
    this.#backup()
    this.forgetHistories()
  }

  forgetHistories(): void {
    this.epoch += 1
    for (const link of this.links) {
      const entries = [...link.ledger.entries].map(
        ([key, { publishedAt: _, ...entry }]) => [key, entry] as const,
      )
      link.ledger = { version: link.ledger.version, entries: new Map(entries) }
    }
  }

  /** Asks once: undefined if the token was refused. */
  readOnce(index: number, limit: number): Read | undefined {
    const client = this.clients[index]!
    const { link } = client
    const { objects, at } = this.publish(link)
    const current = { link: link.name, at }
    const point = client.token === '' ? undefined : parseSyncToken(client.token)
    expect(point === undefined).toBe(client.token === '')
    // As `needOf` says.
    const isCurrent = client.token === syncToken(current)
    const changes = isCurrent ? none : changesSince(objects, point, current, limit)
    if (!changes) {
      expect(this.#mustBeTaken(client)).toBe(false)
      this.clients[index] = { link, held: new Map(), token: '', origin: null }
      return undefined
    }
    const { changed, removed, next } = changes
    expect(changed.length + removed.length).toBeLessThanOrEqual(limit)
    const held = new Map(client.held)
    for (const { name } of removed) held.delete(name)
    for (const { name, etag } of changed) held.set(name, etag)
    const { acts, changes: made } = this
    const { epoch } = (next && client.origin) ?? this
    const origin = { link, epoch, acts, changes: made }
    this.clients[index] = { link, held, token: syncToken(next ?? current), origin }
    return { names: [...changed, ...removed].map(({ name }) => name), isCutOff: next !== undefined }
  }

  sync(index: number, limit: number): void {
    const before = this.clients[index]!
    const { epoch } = this
    const reported: string[] = []
    for (let asked = 1, read: Read | undefined; !read || read.isCutOff; asked += 1) {
      expect(asked).toBeLessThan(30)
      read = this.readOnce(index, limit)
      reported.push(...(read?.names ?? []))
    }
    const { held, token, link } = this.clients[index]!
    const { objects } = this.publish(link)
    expect(sorted(held)).toEqual(
      sorted(new Map(objects.objects.map(({ name, etag }) => [name, etag]))),
    )
    this.readOnce(index, limit)
    expect(this.clients[index]).toMatchObject({ held, token })
    const { origin } = before
    const isWhole = before.token.split('.').length === 2 && origin?.link === link
    if (!isWhole || origin.epoch !== epoch || this.changes - origin.changes > 1) return
    const changed = changedNames(before.held, held)
    if (!this.#isMixed) expect(reported.toSorted()).toEqual(changed)
  }

  #mustBeTaken({ link, origin }: Client): boolean {
    if (!origin || origin.epoch !== this.epoch || this.#isMixed) return false
    for (let one: Link | null = link, before = Infinity; one; one = one.from) {
      if (one === origin.link) return origin.acts < before
      before = one.madeAfter
    }
    return false
  }
}

interface Read {
  readonly names: readonly string[]
  readonly isCutOff: boolean
}

interface Published {
  readonly objects: CalendarObjects
  readonly at: number
}

const none: Changes = { changed: [], removed: [], next: undefined }
const allDay = { event: { time: { allDay: true, start: '2026-01-10', end: '2026-01-11' } } }

function sorted(held: ReadonlyMap<string, string>): readonly (readonly string[])[] {
  return [...held].toSorted()
}

function changedNames(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly string[] {
  const names = new Set([...before.keys(), ...after.keys()])
  return [...names].filter((name) => before.get(name) !== after.get(name)).toSorted()
}

type Step = (world: World) => void

const client = fc.nat({ max: 2 })
const some = fc.nat({ max: 5 })
const limit = fc.constantFrom(1, 2, 3, Infinity)
const uids = fc.constantFrom('a', 'b', 'c', 'd', 'e')

function act<T>(
  argument: fc.Arbitrary<T>,
  step: (world: World, given: T) => void,
): fc.Arbitrary<Step> {
  return argument.map((given) =>
    Object.assign(
      (world: World) => {
        world.acts += 1
        step(world, given)
      },
      { [fc.toStringMethod]: () => `${step.toString()} ${fc.stringify(given)}` },
    ),
  )
}

const anyStep = fc.oneof(
  { weight: 6, arbitrary: act(fc.tuple(client, limit), (world, given) => world.sync(...given)) },
  {
    weight: 6,
    arbitrary: act(fc.tuple(client, limit), (world, given) => void world.readOnce(...given)),
  },
  {
    weight: 4,
    arbitrary: act(fc.tuple(uids, fc.constantFrom('one', 'two')), (world, given) =>
      world.put(...given),
    ),
  },
  { weight: 4, arbitrary: act(uids, (world, given) => world.remove(given)) },
  {
    weight: 1,
    arbitrary: act(fc.constantFrom('Work', 'Away'), (world, given) => world.rename(given)),
  },
  {
    weight: 3,
    arbitrary: act(
      fc.constantFrom(300, 1000, 60_000, dayMs, -3_600_000, -dayMs, 401 * dayMs),
      (world, ms) => world.wait(ms),
    ),
  },
  { weight: 2, arbitrary: act(some, (world, given) => void world.publish(linkAt(world, given))) },
  {
    weight: 1,
    arbitrary: act(some, (world, given) => void world.publish(linkAt(world, given), true)),
  },
  { weight: 1, arbitrary: act(some, (world, given) => void world.addLink(linkAt(world, given))) },
  { weight: 1, arbitrary: act(some, (world) => void world.addLink()) },
  {
    weight: 2,
    arbitrary: act(fc.tuple(client, some), (world, given) => world.move(...given)),
  },
  { weight: 2, arbitrary: act(client, (world, given) => world.save(given)) },
  {
    weight: 2,
    arbitrary: act(fc.tuple(client, some), (world, given) => world.goBack(...given)),
  },
  { weight: 1, arbitrary: act(some, (world) => world.forgetHistories()) },
  { weight: 1, arbitrary: act(some, (world) => world.backUp()) },
  { weight: 1, arbitrary: act(some, (world) => world.restore()) },
)

function linkAt({ links }: World, index: number): Link {
  return links[index % links.length]!
}

it('clients hold what was published, over any history of publications', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 60, size: 'max' }), (history) => {
      const world = new World()
      for (const step of history) step(world)
      for (const index of world.clients.keys()) world.sync(index, Infinity)
    }),
    { numRuns: inject('isThorough') ? 20_000 : 300 },
  )
})
