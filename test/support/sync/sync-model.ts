/* Rules that hold for every client that synchronises, whatever has happened. */
import { expect } from 'vitest'

import {
  type Asked,
  type ClientState,
  nothing,
  readCurrentToken,
  readPage,
  type Reading,
  veventsIn,
} from './sync-client.ts'
import { type Link, SyncWorld, type WorldSettings } from './sync-world.ts'

const pagesMax = 60

/** When and from which link a client got its token. */
interface Origin {
  readonly link: Link
  readonly epoch: number
  readonly acts: number
}

interface Client {
  readonly state: ClientState
  readonly link: Link
  /** Of the token; with the epoch of the first answer while answers are truncated. */
  readonly origin: Origin | null
  /** Of the last complete sync, if nothing has changed the client since. */
  readonly synced: Origin | null
}

export interface SyncSettings {
  readonly client: number
  readonly node: number
  readonly reading: Reading
  readonly limit: number | null
}

export class SyncModel {
  readonly world: SyncWorld
  readonly #clients: Client[]
  readonly #saved: Client[] = []
  /** By UID; the same for every link at any time. */
  readonly #names = new Map<string, string>()
  readonly #etags = new Map<string, string>()
  readonly #vevents = new Map<string, string>()
  /** Complete syncs, accepted tokens and refused tokens. */
  readonly counts = { syncs: 0, taken: 0, refused: 0 }

  private constructor(world: SyncWorld, clients: number) {
    this.world = world
    const [link] = world.links
    const client = { state: nothing, link: link!, origin: null, synced: null }
    this.#clients = Array.from({ length: clients }, () => client)
  }

  static async start(settings: WorldSettings, clients: number): Promise<SyncModel> {
    return new SyncModel(await SyncWorld.start(settings), clients)
  }

  close(): Promise<void> {
    return this.world.close()
  }

  /** The client continues with another secret: of a rotated link, or of a link that is not its own. */
  move(client: number, link: number): void {
    this.#clients[client] = { ...this.#clients[client]!, link: this.world.link(link), synced: null }
  }

  save(client: number): void {
    this.#saved.push(this.#clients[client]!)
  }

  /** The client returns to a state that was saved. */
  goBack(client: number, to: number): void {
    const saved = this.#saved[to % this.#saved.length]
    if (saved) this.#clients[client] = saved
  }

  /** Reads one answer; then the client is interrupted. */
  async readOnce(settings: SyncSettings): Promise<void> {
    await this.#page(settings)
  }

  /** Synchronises completely: then the client holds the calendar. */
  async sync(settings: SyncSettings): Promise<void> {
    const { world } = this
    const { client, node } = settings
    const before = this.#clients[client]!
    const { acts, epoch } = world
    const earlier = await world.poll(node + 1, before.link)
    const reported = new Set<string>()
    let isWhole = before.state.token !== ''
    for (let pages = 0; ; pages += 1) {
      expect(pages).toBeLessThan(pagesMax)
      const page = await this.#page({ ...settings, node: node + pages })
      if (page === 'stopped') return expect(earlier).toBeUndefined()
      if (page === 'token refused') {
        isWhole = false
        reported.clear()
        continue
      }
      for (const name of page.reported.keys()) {
        expect(reported).not.toContain(name)
        reported.add(name)
      }
      if (!page.isCutOff) break
    }
    const { state } = this.#clients[client]!
    this.#holdAgainstCalendar(state, earlier)
    this.#holdAgainstCalendar(state, await world.poll(node, before.link))
    const { synced } = before
    const isSince = synced && synced.epoch === epoch && synced.link === before.link
    if (isSince && acts - synced.acts <= 1) {
      expect(isWhole).toBe(true)
      expect([...reported].toSorted()).toEqual(changedNames(before.state, state))
      if (acts === synced.acts) expect(state.token).toBe(before.state.token)
    }
    await this.#unchanged(settings, state)
    this.counts.syncs += 1
    const now = this.#clients[client]!
    this.#clients[client] = { ...now, synced: now.origin }
  }

  /** Two clients at the same time. */
  async syncAtOnce(one: SyncSettings, other: SyncSettings): Promise<void> {
    const isOther = other.client !== one.client
    await Promise.all([this.sync(one), isOther ? this.sync(other) : undefined])
  }

  async #page(settings: SyncSettings) {
    const { world } = this
    const { client } = settings
    const before = this.#clients[client]!
    const page = await readPage(this.#asked(settings), before.state)
    if (page === 'ended' || page === 'unavailable') return 'stopped'
    if (page === 'token refused') {
      expect(this.#mustBeTaken(before)).toBe(false)
      this.counts.refused += 1
      this.#clients[client] = { ...before, state: nothing, origin: null, synced: null }
      return page
    }
    if (before.state.token !== '') this.counts.taken += 1
    const { link } = before
    const { epoch } = (page.isCutOff ? before.origin : null) ?? world
    const origin = { link, epoch, acts: world.acts }
    this.#clients[client] = { ...before, state: page.state, origin, synced: null }
    this.#holdNames(page.state)
    return page
  }

  async #unchanged(settings: SyncSettings, state: ClientState): Promise<void> {
    for (const node of [settings.node, settings.node + 1]) {
      const asked = this.#asked({ ...settings, node })
      const again = await readPage(asked, state)
      expect(again).toEqual({ state, reported: new Map(), isCutOff: false })
      expect(await readCurrentToken(asked)).toBe(state.token)
    }
  }

  #asked({ client, node, reading, limit }: SyncSettings): Asked {
    const { link } = this.#clients[client]!
    return { url: this.world.url(node), account: link, reading, limit }
  }

  /** Tokens of the link itself, and those that replaced links gave before they were replaced. */
  #mustBeTaken({ link, origin }: Client): boolean {
    if (!origin || origin.epoch !== this.world.epoch) return false
    for (let one: Link | null = link, before = Infinity; one; one = one.from) {
      if (one === origin.link) return origin.acts < before
      before = one.madeAfter
    }
    return false
  }

  #holdAgainstCalendar({ held }: ClientState, calendar: string | undefined): void {
    expect([...held.values()].map(({ vevent }) => vevent).toSorted()).toEqual(
      veventsIn(calendar ?? 'The calendar is not served.').toSorted(),
    )
  }

  #holdNames({ held }: ClientState): void {
    for (const [name, { etag, vevent }] of held) {
      expect(name).toMatch(/^[0-9a-f]{14}$/)
      const uid = /^UID:(.*)\r\n/m.exec(vevent)?.[1] ?? ''
      holdAs(this.#names, uid, name)
      holdAs(this.#etags, vevent, etag)
      holdAs(this.#vevents, etag, vevent)
    }
  }
}

/** A value once seen for a key never changes. */
function holdAs(known: Map<string, string>, key: string, value: string): void {
  expect(known.get(key) ?? value).toBe(value)
  known.set(key, value)
}

function changedNames({ held: before }: ClientState, { held: after }: ClientState): string[] {
  const names = new Set([...before.keys(), ...after.keys()])
  return [...names].filter((name) => before.get(name)?.etag !== after.get(name)?.etag).toSorted()
}
