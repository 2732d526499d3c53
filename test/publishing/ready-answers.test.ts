/* The answers given last stay in memory, within a fixed number of bytes. */
import { createHash } from 'node:crypto'

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { FeedLink } from '../../src/domain/link.ts'
import { newLink } from '../../src/feeds/link-replacement.ts'
import { systemClock } from '../../src/process/world.ts'
import { type ContentCoding, EncodedBody } from '../../src/publishing/publication.ts'
import { ReadyAnswers } from '../../src/publishing/ready-answers.ts'

/** A body of some more than so many bytes in whichever coding. */
function bodyOf(bytes: number): Promise<EncodedBody> {
  const noise = createHash('shake256', { outputLength: bytes })
  return EncodedBody.of(noise.digest('base64'))
}

const validity = { grounds: null, newAt: 0, until: 0, revision: '1' }

const feed = { name: 'Work', timezone: 'UTC', companyId: 'main' }

/** What an answer weighs beside its body. */
const besideBody = 2048

/** The bodies of links that are called by a letter, as many as fit beside what each answer weighs. */
function cacheOf(bytesMax: number, answers: number): BodyCache {
  const links = { findBasis: () => Promise.resolve({ basis: '', seen: null }) }
  const all = new ReadyAnswers(
    { links, clock: systemClock, staleMs: 0 },
    bytesMax + answers * besideBody,
  )
  return {
    find: (link, etag) => all.findBody(linkOf(link), 'ics', etag),
    keep: (link, etag, body) =>
      all.keep({ link: linkOf(link), feed, validators: { etag }, body }, 'ics', validity),
  }
}

interface BodyCache {
  find(link: string, etag: string): EncodedBody | null
  keep(link: string, etag: string, body: EncodedBody | null): void
}

function linkOf(name: string): FeedLink {
  const { link } = newLink({ feedId: `feed_${name}`, label: 'default', createdAt: 0 })
  return { ...link, tokenHash: new TextEncoder().encode(name) }
}

/** Of these links those whose bodies are there. */
function keptIn(cache: BodyCache, links: readonly string[]): readonly string[] {
  return links.filter((link) => cache.find(link, 'etag'))
}

describe('the cache of ready answers', () => {
  it('rejects an answer larger than itself without making room for it', async () => {
    const cache = cacheOf(10_000, 2)
    cache.keep('a', 'etag', await bodyOf(4000))
    cache.keep('b', 'etag', await bodyOf(20_000))
    expect(keptIn(cache, ['a', 'b'])).toEqual(['a'])
  })

  it('drops the oldest first, with a second chance for those that were used', async () => {
    const cache = cacheOf(10_000, 4)
    for (const link of ['a', 'b', 'c']) cache.keep(link, 'etag', await bodyOf(2000))
    cache.find('a', 'etag')
    cache.keep('d', 'etag', await bodyOf(4000))
    expect(keptIn(cache, ['a', 'b', 'c', 'd'])).toEqual(['a', 'c', 'd'])
  })

  it('counts every coding that is requested later', async () => {
    const cache = cacheOf(10_000, 2)
    const [first, second] = [await bodyOf(4500), await bodyOf(2000)]
    cache.keep('a', 'etag', first)
    cache.keep('b', 'etag', second)
    await second.in('identity')
    expect(keptIn(cache, ['a', 'b'])).toEqual(['a', 'b'])
    await second.in('br')
    expect(keptIn(cache, ['a', 'b'])).toEqual(['b'])
    await second.in('zstd')
    await second.in('zstd')
    expect(keptIn(cache, ['a', 'b'])).toEqual(['b'])
  })

  it('drops a body that outgrows it', async () => {
    const cache = cacheOf(10_000, 1)
    const body = await bodyOf(6000)
    cache.keep('a', 'etag', body)
    await body.in('br')
    expect(keptIn(cache, ['a'])).toEqual([])
  })

  it('keeps one body per link and finds it only by its entity tag', async () => {
    const cache = cacheOf(10_000, 2)
    const body = await bodyOf(100)
    cache.keep('a', 'old', await bodyOf(100))
    cache.keep('a', 'new', body)
    expect(cache.find('a', 'old')).toBeNull()
    expect(cache.find('a', 'new')).toBe(body)
  })

  it('uses only the memory it counts, without the buffers that small bodies were cut from', async () => {
    const body = await bodyOf(3000)
    await body.in('br')
    await body.in('identity')
    for (const bytes of body.ready.values()) expect(bytes.buffer.byteLength).toBe(bytes.length)
  })

  it('contains exactly what fits of the newest and recently used, over any history', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 40 }), async (history) => {
        const cache = cacheOf(3000, 2)
        const model = new SecondChances(3000 + 2 * besideBody)
        for (const { link, act } of history) await act(link, cache, model)
        for (const { link, body } of model.queue) expect(cache.find(link, 'etag')).toBe(body)
        const gone = links.filter((link) => !model.queue.some((kept) => kept.link === link))
        expect(keptIn(cache, gone)).toEqual([])
      }),
    )
  })
})

/** The same said more simply: the bodies in a queue, weighed again each time. */
class SecondChances {
  queue: readonly {
    readonly link: string
    readonly body: EncodedBody
    readonly isUsed: boolean
  }[] = []
  /** By link, whether they are there or not. */
  readonly made = new Map<string, EncodedBody>()
  readonly #bytesMax: number

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  use(link: string): EncodedBody | null {
    this.queue = this.queue.map((other) =>
      other.link === link ? { ...other, isUsed: true } : other,
    )
    return this.queue.find((other) => other.link === link)?.body ?? null
  }

  put(link: string, body: EncodedBody): void {
    this.made.set(link, body)
    this.queue = this.queue.filter((other) => other.link !== link)
    const weight = body.bytes + besideBody
    if (weight > this.#bytesMax) return
    this.shed(weight)
    this.queue = [...this.queue, { link, body, isUsed: false }]
  }

  shed(more = 0): void {
    const bytes = this.queue.reduce((sum, { body }) => sum + body.bytes + besideBody, more)
    const [first, ...others] = this.queue
    if (bytes <= this.#bytesMax || !first) return
    this.queue = first.isUsed ? [...others, { ...first, isUsed: false }] : others
    this.shed(more)
  }
}

const links = ['a', 'b', 'c', 'd', 'e']

type Act = (link: string, cache: BodyCache, model: SecondChances) => Promise<void> | void

const anyKeep = fc
  .integer({ min: 0, max: 3500 })
  .map((bytes): Act => async (link, cache, model) => {
    const body = await bodyOf(bytes)
    cache.keep(link, 'etag', body)
    model.put(link, body)
  })

const anyFind = fc.constant<Act>((link, cache, model) => {
  expect(cache.find(link, 'etag')).toBe(model.use(link))
})

/** Of a body that is there, without its being used, or of one that has gone. */
const anyCoding = fc
  .constantFrom<ContentCoding[]>('gzip', 'br', 'zstd', 'identity')
  .map((coding): Act => async (link, _, model) => {
    await model.made.get(link)?.in(coding)
    model.shed()
  })

const anyStep = fc.record({
  link: fc.constantFrom(...links),
  act: fc.oneof(anyKeep, anyFind, anyCoding),
})
