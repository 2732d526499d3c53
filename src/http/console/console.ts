/* What all pages of the console share: who is let in, how a page is sent, how a form is read. */
import type { Request, RequestHandler, Response } from 'express'

import { mayDo, type Role, type Staff } from '../../domain/access/staff.ts'
import { AppError, asAppError } from '../../domain/errors.ts'
import type { Locale } from '../../domain/feed.ts'
import type { PersonInCompany } from '../../domain/person.ts'
import { cutText, isolated, plainLine } from '../../text/plain-text.ts'
import { nothingHere, setRetryAfter, statusOf } from '../../web/problem.ts'
import { bodyOf } from '../../web/request-body.ts'
import { findSession } from '../authentication.ts'
import {
  askedLanguage,
  type AssetName,
  basePath,
  type PageDeps,
  preferredLanguage,
  sendPage,
} from '../pages/page.ts'
import { consoleLanguages, type ConsoleWords } from './words/words.ts'

/** A request of somebody who may use the console. */
export interface Visit {
  readonly request: Request
  readonly response: Response
  readonly by: Staff
  /** Their own entry in the directory, if they have one. */
  readonly person: PersonInCompany | null
  readonly locale: Locale
  readonly words: ConsoleWords
  /** Those that they see, in the order of the settings. */
  readonly companies: readonly NamedCompany[]
  /** The one that the address names (`?company=`), or the first. */
  readonly companyId: string
  /** Whether the navigation leads to the first steps. */
  readonly isNew: boolean
}

interface NamedCompany {
  readonly id: string
  readonly name: string
}

export type ConsoleHandler = (visit: Visit) => Promise<void>

/** Pages of the navigation, in its order, and the role that sees each. */
const places = {
  overview: { path: '', needs: 'reader' },
  people: { path: '/people', needs: 'reader' },
  handOut: { path: '/hand-out', needs: 'support' },
  teams: { path: '/teams', needs: 'reader' },
  defaults: { path: '/defaults', needs: 'reader' },
  companies: { path: '/companies', needs: 'reader' },
  audit: { path: '/audit', needs: 'reader' },
  tokens: { path: '/tokens', needs: 'admin' },
  access: { path: '/access', needs: 'admin' },
  erase: { path: '/erase', needs: 'admin' },
  firstSteps: { path: '/first-steps', needs: 'reader' },
} as const satisfies Readonly<Record<string, { readonly path: string; readonly needs: Role }>>

export type ConsolePlace = keyof typeof places

/** A refusal in a sentence of the console's words, in the reader's language. */
export class RefusedInWords extends AppError {}

/** For a form that is none of our pages'. */
export function incomplete({ words }: Pick<Visit, 'words'>): RefusedInWords {
  return new RefusedInWords('invalid', words.frame.refused.incomplete)
}

/**
 * Admits staff with that role or a higher one to the handler. Without a session, opening a page leads to sign-in, and a form
 * is refused with 401. An error that people can cause is told on a page of the console.
 */
export function admit(deps: PageDeps, needed: Role, handle: ConsoleHandler): RequestHandler {
  return async (request, response) => {
    // PostgreSQL stores no U+0000, so nothing is called by it.
    if (request.originalUrl.includes('%00')) throw nothingHere()
    response.setHeader('Cache-Control', 'no-store')
    response.vary('Accept-Language').vary('Cookie')
    const session = await findSession(deps, request)
    if (!session) return refuseStranger(deps, request, response)
    const { staff, person } = session
    if (!staff) throw new AppError('forbidden', 'The console is for staff only.')
    const companies = companiesOf(deps, staff)
    const [first] = companies
    if (!first) throw new AppError('not_found', 'The company of this token is not set up here.')
    const asked = request.query['company']
    const chosen = companies.find(({ id }) => id === asked)
    const locale = preferredLanguage(request)
    const words = consoleLanguages[locale]
    const companyId = (chosen ?? first).id
    const isNew = !(await deps.firstSteps.areDone(companyId))
    const who = { by: staff, person, companies, companyId, isNew }
    const visit = { request, response, locale, words, ...who }
    try {
      if (!mayDo(staff.role, needed)) {
        throw new RefusedInWords('forbidden', words.frame.needsRole[needed])
      }
      if (asked !== undefined && !chosen)
        throw new RefusedInWords('not_found', words.frame.noCompany)
      await handle(visit)
    } catch (error) {
      const known = asAppError(error)
      if (!known || response.headersSent) throw error
      sendRefusal(deps, visit, known)
    }
  }
}

function companiesOf({ connections }: PageDeps, { companyId }: Staff): readonly NamedCompany[] {
  return [...connections]
    .filter(([id]) => companyId === null || id === companyId)
    .map(([id, { company }]) => ({ id, name: isolated(company.name) }))
}

function refuseStranger(deps: PageDeps, request: Request, response: Response): void {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    throw new AppError('unauthorized', 'Sign in again: the session has ended.')
  }
  const language = askedLanguage(request)
  const to = request.originalUrl.replace(/([?&])lang=\w*(?:&|$)/, '$1').replace(/[?&]$/, '')
  const query = new URLSearchParams({
    ...(request.path === '/console' ? {} : { to }),
    ...(language && { lang: language }),
  }).toString()
  response.redirect(303, `${basePath(deps.publicUrl)}/console/sign-in${query && `?${query}`}`)
}

/** Of the chosen company. */
export function timezoneOf({ connections }: PageDeps, { companyId }: Visit): string {
  return connections.get(companyId)?.company.timezone ?? 'UTC'
}

const searchLengthMax = 200

/** What `?search=` asks for, as one line: a copied row of a table has tabs. */
export function searchIn({ request: { query } }: Visit): string {
  const { search } = query
  return typeof search === 'string' ? cutText(plainLine(search).trim(), searchLengthMax) : ''
}

type Query = Readonly<Record<string, string | null | undefined>>

/** The address of a page of the console; it keeps the company and the language that the reader chose. */
export function consoleAddress(
  deps: PageDeps,
  visit: Visit,
  path: string,
  query: Query = {},
): string {
  const { request, companies, companyId } = visit
  const [first] = companies
  const asked = {
    company: companyId === first?.id ? undefined : companyId,
    ...query,
    lang: askedLanguage(request),
  }
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(asked)) {
    if (value != null && value !== '') parameters.set(name, value)
  }
  const base = `${basePath(deps.publicUrl)}/console${path}`
  return parameters.size > 0 ? `${base}?${parameters.toString()}` : base
}

interface ConsolePage {
  /** A file of `templates/`, without its ending. */
  readonly template: string
  readonly title: string
  readonly place: ConsolePlace | null
  readonly styles?: readonly AssetName[]
  readonly modules?: readonly AssetName[]
  readonly wide?: readonly AssetName[]
  /** For an answer to a form: the path of a page that can be opened in another language. */
  readonly openable?: string
  readonly [member: string]: unknown
}

/**
 * Sends a page of the console. Templates receive `c` (the words of the console), `at(path, query)`, `may(role)` and `done`, a
 * sentence of `c.done` that the address names after a form. `kept` is what a form of search keeps of the address.
 */
export function sendConsole(deps: PageDeps, visit: Visit, page: ConsolePage): void {
  const { response, request, by, person, locale, words, companies, companyId } = visit
  const { place, template, openable } = page
  const at = (path: string, query?: Query): string => consoleAddress(deps, visit, path, query)
  const may = (role: Role): boolean => mayDo(by.role, role)
  const base = basePath(deps.publicUrl)
  sendPage(deps, response, {
    ...page,
    template: `console/${template}`,
    locale,
    companyId,
    referrer: 'same-origin',
    styles: ['console.css', ...(page.styles ?? [])],
    modules: ['console.js', ...(page.modules ?? [])],
    inLanguage: beforeLanguage(request, openable === undefined ? undefined : at(openable)),
    c: words,
    at,
    may,
    kept: [...new URL(at(''), deps.publicUrl).searchParams],
    nav: viewNav(place, visit, at, may),
    isAdminToken: by.actor === 'admin',
    who: isolated(by.actor.replace(/^(?:staff|token):/, '')),
    roleName: words.frame.roles[by.role],
    companies,
    done: doneSentence(request, words),
    me: person && `${base}/me`,
    signOut: `${base}/sign-out`,
  })
}

function viewNav(
  current: ConsolePlace | null,
  { words: { frame }, isNew }: Visit,
  at: (path: string) => string,
  may: (role: Role) => boolean,
): readonly object[] {
  return Object.entries(places)
    .filter(([name, { needs }]) => may(needs) && (isNew || name !== 'firstSteps'))
    .map(([name, { path }]) => ({
      text: new Map(Object.entries(frame.nav)).get(name),
      address: at(path),
      isCurrent: name === current,
    }))
}

function doneSentence({ query }: Request, { done }: ConsoleWords): string | null {
  const asked = query['done']
  return typeof asked === 'string' ? (new Map(Object.entries(done)).get(asked) ?? null) : null
}

/** What stands before `lang=` in the address of the same page in another language. */
function beforeLanguage({ query }: Request, openable: string | undefined): string {
  if (openable !== undefined) {
    return `${openable.replace(/([?&])lang=\w+$/, '')}${openable.includes('?') ? '&' : '?'}`
  }
  const asked = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (name !== 'lang' && name !== 'done' && typeof value === 'string') asked.set(name, value)
  }
  return asked.size > 0 ? `?${asked.toString()}&` : '?'
}

/** Redirects after a form (RFC 9110 section 15.4.4) to a page that says what was done: a name of `words.done`. */
export function redirectDone(
  deps: PageDeps,
  visit: Visit,
  path: string,
  done: keyof ConsoleWords['done'],
  query: Query = {},
): void {
  visit.response.redirect(303, consoleAddress(deps, visit, path, { ...query, done }))
}

/** Says in the frame of the console why a request was refused. */
function sendRefusal(deps: PageDeps, visit: Visit, error: AppError): void {
  const { response, words } = visit
  const { refused } = words.frame
  const titles: Readonly<Record<string, string>> = refused.titles
  setRetryAfter(response, error)
  response.status(statusOf(error))
  sendConsole(deps, visit, {
    template: 'refused',
    title: titles[error.code] ?? refused.other,
    place: null,
    openable: '',
    reason: error.message,
    reasonIn: error instanceof RefusedInWords ? visit.locale : 'en',
    faults: error.faults,
    isChange: visit.request.method === 'POST',
  })
}

/** Larger forms carry a table. */
const formBytesMax = 64 * 1024
/** Many more take seconds to read. */
const fieldsMax = 20_000

/** Reads a form, `application/x-www-form-urlencoded` or `multipart/form-data` (RFC 7578); fails with `invalid`. */
export async function readForm({ request }: Visit, bytesMax = formBytesMax): Promise<Form> {
  const type = request.headers['content-type'] ?? ''
  if (!request.is(['application/x-www-form-urlencoded', 'multipart/form-data'])) {
    throw new AppError('unsupported_media_type', 'Send this as a form.')
  }
  const bytes = await bodyOf(request, bytesMax)
  const body = new Uint8Array(bytes)
  if (request.is('urlencoded') && hasMoreFields(body)) {
    throw new AppError('too_large', `The form has too many fields: at most ${fieldsMax}.`)
  }
  const read = new globalThis.Response(body, { headers: { 'Content-Type': type } }).formData()
  const data = await read.catch((cause: unknown) => {
    throw new AppError('invalid', 'The form cannot be read.', { cause })
  })
  return new Form(data)
}

function hasMoreFields(body: Uint8Array): boolean {
  let fields = 1
  for (let at = body.indexOf(ampersand); at >= 0; at = body.indexOf(ampersand, at + 1)) fields += 1
  return fields > fieldsMax
}

const ampersand = 0x26

/** PostgreSQL stores no U+0000. */
function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD')
}

/** The fields of a form. */
export class Form {
  readonly #data: FormData

  constructor(data: FormData) {
    this.#data = data
  }

  /** The first text with that name, trimmed; empty without one. */
  text(name: string): string {
    const [value] = this.#data.getAll(name)
    return typeof value === 'string' ? storable(value).trim() : ''
  }

  texts(name: string): readonly string[] {
    return this.#data
      .getAll(name)
      .filter((it) => typeof it === 'string')
      .map(storable)
  }

  has(name: string): boolean {
    return this.#data.has(name)
  }

  /** The bytes of an uploaded file; undefined if none was chosen. */
  async file(name: string): Promise<Uint8Array | undefined> {
    const value = this.#data.get(name)
    if (value === null || typeof value === 'string' || value.size === 0) return undefined
    return value.bytes()
  }
}
