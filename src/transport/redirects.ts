import { apiPrefix } from '../domain/read-api.ts'
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

/** Follows redirects to the same resource within the origin, for which alone a credential is meant; those in vain only once. */
export class Redirects {
  readonly #deadEnds = new Map<string, DeadEnd>()

  /** The answer at the end of the redirects. After some in vain one address is asked for at a time, the last and the first in turns. */
  async follow(url: URL, ask: Ask): Promise<Arrival> {
    const known = this.#deadEnds.get(url.href)
    const arrival = known ? await askInTurns(known, url, ask) : await followFrom(url, ask)
    const { answer, first, url: last } = arrival
    if (answer.status === 200 || (known && leadsElsewhere(known, arrival))) {
      this.#deadEnds.delete(url.href)
    } else if (first) this.#note(url, { first, last, isNext: true })
    return arrival
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

/** Whether the address that led there redirects to another place by now: it is followed next time. */
function leadsElsewhere({ first, last }: DeadEnd, { url, answer }: Arrival): boolean {
  return url.href !== last.href && redirectTarget(answer, url)?.href !== first.href
}

async function followFrom(
  url: URL,
  ask: Ask,
  { asked = url, redirectsLeft = redirectsMax } = {},
): Promise<Arrival> {
  const answer = await ask(url)
  const first = redirectTarget(answer, url)
  const isFollowed = first && first.href !== url.href && isSameResource(first, asked)
  if (!isFollowed || redirectsLeft === 0) return { url, answer }
  return { ...(await followFrom(first, ask, { asked, redirectsLeft: redirectsLeft - 1 })), first }
}

/** Whether both name the same list or record, filtered alike: anything else that came would be taken for it. */
function isSameResource(target: URL, asked: URL): boolean {
  const resource = `/${asked.pathname.split(apiPrefix).at(-1)}`
  return (
    target.origin === asked.origin &&
    target.pathname.replace(/\/+$/, '').endsWith(resource) &&
    [...asked.searchParams].every(([name, value]) => target.searchParams.get(name) === value)
  )
}
