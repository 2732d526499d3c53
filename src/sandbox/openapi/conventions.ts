/* What holds for every operation, as the document and the page say it; what stands between backticks is code. */

export interface Convention {
  readonly id: string
  readonly title: string
  readonly paragraphs: readonly string[]
}

export const introduction =
  'Timesheets, invoices, users, leaves, tasks and work schedules of a company, to be read by calendars, payroll and other programs. This is a sandbox of it: a whole implementation of the specification, with a sample company to try things with.'

export const choiceNote =
  'What the specification does not show (names of parameters, paging, order, errors, authentication, limits, which fields may be missing) has been chosen here as good public APIs have it, and is marked as this implementation’s choice.'

/** How the Read API is spoken to, where keys are asked for and where they are not. */
export function conventions(asksForKeys: boolean): readonly Convention[] {
  return [asksForKeys ? withKeys : withoutKeys, ...always]
}

const withKeys: Convention = {
  id: 'authentication',
  title: 'Authentication',
  paragraphs: [
    'Send your key with every request: `Authorization: Bearer KEY`. A key belongs to one company and sees that one alone: what another company has is a 404, as if it did not exist.',
  ],
}

const withoutKeys: Convention = {
  id: 'authentication',
  title: 'Authentication',
  paragraphs: [
    'None: without keys the sandbox answers only this machine, with its sample company.',
    'To try it with keys start it with `WORKFORCE_SANDBOX_KEYS=first-key=main,second-key=other`. Each belongs to one company, and is sent as `Authorization: Bearer first-key`.',
  ],
}

const always: readonly Convention[] = [
  {
    id: 'filters',
    title: 'Filters',
    paragraphs: [
      'What is asked for together holds together (AND). A parameter that an operation does not take, that stands there twice or whose value cannot be meant is a 400 that names it, and the nearest right one.',
    ],
  },
  {
    id: 'paging',
    title: 'Paging and order',
    paragraphs: [
      'A list comes whole, in an order that does not change. With `limit` (1 to 1,000) it comes page by page: follow `Link: <…>; rel="next"` until an answer has none.',
      'A `cursor` goes on after the last record of its page, also where records have been added since. It means nothing for another list or other filters.',
    ],
  },
  {
    id: 'errors',
    title: 'Errors',
    paragraphs: [
      'Every error is a problem document (RFC 9457, `application/problem+json`): `title` is the status in words, and `detail` says in a sentence what is wrong.',
      'After a 429 or 503, wait for the seconds in `Retry-After` and ask again.',
    ],
  },
  {
    id: 'caching',
    title: 'Caching',
    paragraphs: [
      'Every answer has an `ETag`. Send it back as `If-None-Match`, and as long as nothing has changed the answer is a 304 without a body.',
      'Answers are compressed with gzip for who accepts it. There is only `GET`, and `HEAD` for the headers alone. Pages that this machine serves may ask from browsers (CORS).',
    ],
  },
]

/** What this implementation has chosen where the specification leaves it open. */
export interface Explained {
  readonly meaning: string
  readonly choice?: string | undefined
}

/** As the document has it: a sentence for people, and a member for programs. */
export interface Described {
  readonly description: string
  readonly 'x-implementation-choice'?: true
}

/** The meaning, with what of it the specification does not show. */
export function described({ meaning, choice }: Explained): Described {
  if (choice === undefined) return { description: meaning }
  return {
    description: `${meaning} This implementation’s choice: ${choice}.`,
    'x-implementation-choice': true,
  }
}
