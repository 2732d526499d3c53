import type { HttpAnswer } from './http.ts'

const redirectsMax = 3
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const deadEndsMax = 10_000

/** Where the answer redirects to (RFC 9110 section 15.4); undefined where it does not, or to no readable address. */
export function redirectTarget({ status, headers }: HttpAnswer, url: URL): URL | undefined {
  const { location } = headers
  if (!redirectStatuses.has(status) || typeof location !== 'string') return undefined
  return URL.parse(location, url.href) ?? undefined
}

/** An answer, and the address that it is of. */
export interface Arrival {
  readonly url: URL
  readonly answer: HttpAnswer
  /** Where the first redirect led, if there was one that was followed. */
  readonly first?: URL
}

type Ask = (url: URL) => Promise<HttpAnswer>

/** Where a redirect that brought nothing led first, and at last. */
interface DeadEnd {
  readonly first: URL
  readonly last: URL
  /** Whether it is asked for next, and not the address that led there. */
  isNext: boolean
}

/**
 * Follows redirects to the same resource within the origin, for which alone a credential is meant; those in vain only once.
 * What a query says of the credential makes no difference: each request has it anew.
 */
export class Redirects {
  readonly #deadEnds = new Map<string, DeadEnd>()
  readonly #credentialNames: readonly string[]

  constructor(credentialNames: readonly string[] = []) {
    this.#credentialNames = credentialNames
  }

  /** The answer at the end of the redirects. After some in vain one address is asked for at a time, the last and the first in turns. */
  async follow(url: URL, ask: Ask): Promise<Arrival> {
    const known = this.#deadEnds.get(url.href)
    const arrival = known ? await askInTurns(known, url, ask) : await this.#followFrom(url, ask)
    const { answer, first, url: last } = arrival
    if (answer.status === 200 || (known && this.#leadsElsewhere(known, arrival))) {
      this.#deadEnds.delete(url.href)
    } else if (first) this.#note(url, { first, last, isNext: true })
    return arrival
  }

  async #followFrom(
    url: URL,
    ask: Ask,
    { asked = url, redirectsLeft = redirectsMax } = {},
  ): Promise<Arrival> {
    const answer = await ask(url)
    const first = this.#targetOf(answer, url)
    const isFollowed = first && first.href !== url.href && isSameResource(first, asked)
    if (!isFollowed || redirectsLeft === 0) return { url, answer }
    const next = { asked, redirectsLeft: redirectsLeft - 1 }
    return { ...(await this.#followFrom(first, ask, next)), first }
  }

  #targetOf(answer: HttpAnswer, url: URL): URL | undefined {
    const target = redirectTarget(answer, url)
    for (const name of this.#credentialNames) target?.searchParams.delete(name)
    return target
  }

  /** Whether the address that led there redirects to another place by now: it is followed next time. */
  #leadsElsewhere({ first, last }: DeadEnd, { url, answer }: Arrival): boolean {
    return url.href !== last.href && this.#targetOf(answer, url)?.href !== first.href
  }

  #note(url: URL, deadEnd: DeadEnd): void {
    if (this.#deadEnds.size >= deadEndsMax) this.#deadEnds.clear()
    this.#deadEnds.set(url.href, deadEnd)
  }
}

async function askInTurns(known: DeadEnd, url: URL, ask: Ask): Promise<Arrival> {
  const begin = known.isNext ? known.last : url
  known.isNext = !known.isNext
  return { url: begin, answer: await ask(begin) }
}

/** Whether both name the same list or record, filtered alike, however written: anything else that came would be taken for it. */
function isSameResource(target: URL, asked: URL): boolean {
  return (
    target.origin === asked.origin &&
    pathOf(target) === pathOf(asked) &&
    queryOf(target) === queryOf(asked)
  )
}

/** Without slashes at its end, each segment decoded. */
function pathOf({ pathname }: URL): string {
  const segments = pathname.replace(/\/+$/, '').split('/')
  return JSON.stringify(segments.map(decoded))
}

function queryOf({ searchParams }: URL): string {
  const sorted = new URLSearchParams(searchParams)
  sorted.sort()
  return sorted.toString()
}

/** What is no percent-encoding stands for itself (as the URL standard reads forms). */
function decoded(segment: string): string {
  const written = segment.replaceAll('+', '%2B').replaceAll('&', '%26')
  return new URLSearchParams(`segment=${written}`).get('segment') ?? ''
}
