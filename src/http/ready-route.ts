/* Polls whose answer is ready: before the routes, which would cost more than the answer. */
import { nameOfToken } from '../domain/link.ts'
import type { Instant } from '../domain/world.ts'
import type { CalendarForm } from '../publishing/publication.ts'
import type { ReadyAnswer } from '../publishing/ready-answers.ts'
import { codingFor, dated, headersOf, isNotModified } from '../web/conditional-request.ts'
import type { IncomingMessage, RequestListener, ServerResponse } from '../web/server.ts'
import { commonHeaders, types } from './feed-headers.ts'
import { calendarDisposition, followPoll, noteArrival } from './feed-routes.ts'
import type { HttpDeps } from './http-deps.ts'

type ReadyDeps = Pick<
  HttpDeps,
  'ready' | 'deadline' | 'limits' | 'recorder' | 'metrics' | 'clock' | 'log'
>

/** What a client asks for. */
interface Poll {
  /** The name of the link, if there is one. */
  readonly link: string
  readonly name: string
  readonly form: CalendarForm
}

/** As all addresses are made; whoever writes another is answered by the routes. */
const address = /^\/feeds\/(cfb_[A-Za-z0-9_-]{43})\/([a-z0-9-]{1,60})\.(ics|json)$/

/** Answers a poll with what is ready for it, and leaves all else to `routes`, which answer alike. */
export function answerReady(deps: ReadyDeps, routes: RequestListener): RequestListener {
  const contents: Contents = new WeakMap()
  return (request, response) => {
    const poll = readPoll(request)
    const found = poll && deps.ready.find(poll.link, poll.form)
    if (!found) return routes(request, response)
    const asked = { request, response, poll, contents, cameAt: deps.clock.now() }
    void answerWith(deps, asked, found, routes)
  }
}

async function answerWith(
  deps: ReadyDeps,
  asked: Asked,
  found: Promise<ReadyAnswer | undefined>,
  routes: RequestListener,
): Promise<void> {
  const { deadline } = deps
  const { cameAt } = asked
  // What is wrong the routes say, and what to do where it is late.
  const leave = (): void => {
    noteArrival(asked.request, cameAt)
    routes(asked.request, asked.response)
  }
  const waiting = deadline.watch(cameAt, leave)
  const answer = await found.catch(() => undefined)
  if (deadline.settle(waiting) && !(answer && send(deps, asked, answer))) leave()
}

/** Undefined for what is no calendar client's request: a browser that opens the address is sent to its page. */
function readPoll({ method, url = '', headers }: IncomingMessage): Poll | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined
  if (headers['sec-fetch-dest'] === 'document') return undefined
  const [, token, name, form] = address.exec(url) ?? []
  if (token === undefined || name === undefined) return undefined
  return { link: nameOfToken(token), name, form: form === 'json' ? form : 'ics' }
}

interface Asked {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly poll: Poll
  readonly contents: Contents
  readonly cameAt: Instant
}

/** What an answer sends: the names of its headers, each followed by its value, and bytes where it has some. */
interface Content {
  readonly headers: string[]
  readonly bytes?: Uint8Array
}

/** By what clients say of codings and call the file: there are few of each answer. */
type Contents = WeakMap<ReadyAnswer, Map<string, Content>>

const contentsMax = 8

/** False, with nothing sent, where bytes of that coding are not there or the link is asked for too often. */
function send(deps: ReadyDeps, asked: Asked, answer: ReadyAnswer): boolean {
  const { request, response, poll } = asked
  const { link, validators } = answer
  const has = isNotModified(request.headers, validators)
  const content = contentOf(asked, answer, has)
  if (!content || !deps.limits.polls.count(poll.link)) return false
  const { lastModified } = validators
  followPoll(deps, request, response, { link, ready: true, lastModified })
  response.writeHead(has ? 304 : 200, content.headers).end(content.bytes)
  return true
}

/** Made once for all who ask alike, unless its date is the time of sending. */
function contentOf(asked: Asked, answer: ReadyAnswer, has: boolean): Content | undefined {
  const { contents, request, poll } = asked
  const known = contents.get(answer) ?? new Map<string, Content>()
  const name = has ? '' : `${poll.name} ${request.headers['accept-encoding']}`
  const content = known.get(name) ?? (has ? nothingOf(asked, answer) : bytesOf(asked, answer))
  const isLasting = dated(answer.validators, asked.cameAt) === answer.validators
  if (content && isLasting && known.size < contentsMax) {
    contents.set(answer, known.set(name, content))
  }
  return content
}

const always = commonHeaders.flat()

function nothingOf({ cameAt }: Asked, { validators }: ReadyAnswer): Content {
  return { headers: [...always, ...headersOf(dated(validators, cameAt)).flat()] }
}

function bytesOf(asked: Asked, answer: ReadyAnswer): Content | undefined {
  const { request, poll } = asked
  const coding = codingFor(request.headers['accept-encoding'])
  const bytes = answer.body?.ready.get(coding)
  if (!bytes) return undefined
  const { headers } = nothingOf(asked, answer)
  headers.push('Content-Type', types[poll.form])
  if (poll.form === 'ics') {
    headers.push('Content-Disposition', calendarDisposition('inline', poll.name))
  }
  if (coding !== 'identity') headers.push('Content-Encoding', coding)
  headers.push('Content-Length', String(bytes.length))
  return { headers, bytes }
}
