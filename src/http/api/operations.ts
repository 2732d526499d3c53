import { tokenCompanySchema } from '../../access/api-tokens.ts'
import { auditListSchema } from '../../access/audit-log.ts'
import type { StaffRoute } from '../../access/needed-roles.ts'
import { endSchema, feedListSchema, tableSchema } from '../../feeds/feed-input.ts'
import { type Parameter, queryParameters, ref, type SchemaName } from './openapi-schemas.ts'

/** What the document says of one operation; its path's parameters, and what every operation may answer, come to it. */
export interface OperationEntry {
  readonly operationId: string
  readonly tag: 'Feeds' | 'Links' | 'Companies' | 'Audit' | 'Tokens' | 'People'
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly body?: object
  /** The status, what the answer holds, and as what: a schema for JSON, or the content by its types. */
  readonly answer: readonly [status: 200 | 201 | 204, holds: string, content?: SchemaName | object]
  readonly problems: readonly ProblemStatus[]
}

/** What may go wrong, by status. */
export const problems = {
  400: 'What is wrong with the input, each fault with its JSON Pointer: the first hundred, and in detail how many more there are',
  401: 'No token, or a wrong one',
  403: 'The role does not do, or a change by a sign-in does not come from a page of the bridge',
  404: 'There is no such feed, link, token, person or company, or none that this token may see',
  409: 'What is there stands against it',
  413: 'The body is too large: more than 256 KiB, of a list or a table more than 4 MiB',
  415: 'The body is in a form that is not read here',
  429: 'Too many wrong sign-ins from this address, or too many tables at once; Retry-After says how long to wait',
  503: 'The database, or the Read API where it is needed, does not answer',
} as const

export type ProblemStatus = keyof typeof problems

const table = { schema: { type: 'string' } }
const ended: Details = {
  parameters: queryParameters(endSchema).map((it) => ({ ...it, allowEmptyValue: true })),
  answer: [204, 'It has ended'],
  problems: [400, 404],
}
const wrongChange = [400, 404, 409, 413, 415] as const

/** Every operation of the API, by method and path. */
export const operations: Readonly<Record<StaffRoute, OperationEntry>> = {
  'POST /api/feeds': entry('Feeds', 'createFeeds', 'Make one feed or many', {
    description:
      'One feed as an object, several as an array, or a table with the columns userId,name,timezone,locale,audience,scheduleIds,options of which only userId is needed; an email other than the one the Read API has is a fault. At most 10,000 of them. All are checked before the first is made. A row of a table whose company, user and name exist is skipped, and one that cannot be kept is failed while the others go on. The addresses stand in no other reply. With Accept: text/csv a table is answered with a table.',
    parameters: [
      {
        name: 'Idempotency-Key',
        in: 'header',
        description:
          'The same request with the same key, within 24 hours, makes nothing and shows no address again; the reply says so with Idempotency-Replayed: true. Tables need none.',
        schema: { type: 'string', minLength: 1, maxLength: 255 },
      },
      ...queryParameters(tableSchema),
    ],
    body: { required: true, content: { ...either('NewFeed', 'NewFeeds'), 'text/csv': table } },
    answer: [
      201,
      'The feed, or the feeds in the order in which they were asked for',
      { ...either('CreatedFeed', 'CreatedFeeds'), 'text/csv': table },
    ],
    problems: wrongChange,
  }),
  'GET /api/feeds': entry('Feeds', 'listFeeds', 'List feeds', {
    description: 'In order of creation, page by page; all states where none is named.',
    parameters: queryParameters(feedListSchema),
    answer: [200, 'A page; nextCursor asks for the next one', 'FeedPage'],
    problems: [400, 404],
  }),
  'GET /api/feeds/{id}': entry(
    'Feeds',
    'showFeed',
    'Show a feed, who asked for it, and how old its copies are',
    { answer: [200, 'The feed', 'FeedDetails'], problems: [400, 404] },
  ),
  'PATCH /api/feeds/{id}': entry('Feeds', 'updateFeed', 'Change a feed', {
    description:
      'An RFC 7396 merge patch: what is left out stays, null takes the default again. No address changes. Company and audience are fixed, and so is the user of an own feed.',
    body: required('FeedPatch', 'application/merge-patch+json', 'application/json'),
    answer: [200, 'The feed', 'CreatedFeed'],
    problems: wrongChange,
  }),
  'DELETE /api/feeds/{id}': entry('Feeds', 'revokeFeed', 'End a feed with all of its links', ended),
  'POST /api/feeds/{id}/links': entry('Links', 'createLink', 'Add a link to a feed', {
    body: required('NewLink', 'application/json'),
    answer: [201, 'The link', 'Link'],
    problems: wrongChange,
  }),
  'POST /api/feeds/{id}/rotations': entry(
    'Links',
    'rotateLink',
    'Put a new link in the place of one',
    {
      description:
        'The old one ends now or after graceDays, in which its calendar says when it ends; it is renamed apart, and cannot be rotated again. The warnings name every other address of the feed that goes on.',
      body: { ...required('Rotation', 'application/json'), required: false },
      answer: [201, 'The new link', 'RotatedLink'],
      problems: wrongChange,
    },
  ),
  'DELETE /api/feeds/{id}/links/{label}': entry('Links', 'endLink', 'End one link', ended),
  'GET /api/companies/{id}/examination': entry(
    'Companies',
    'showExamination',
    'What was found when the company’s Read API was last examined',
    { answer: [200, 'The findings', 'Examination'], problems: [400, 404] },
  ),
  'GET /api/audit': entry('Audit', 'listAudit', 'Say who did what', {
    description: 'The last first, page by page. Of a person who was erased nothing is told.',
    parameters: queryParameters(auditListSchema),
    answer: [200, 'A page; nextCursor asks for the next one', 'AuditPage'],
    problems: [400],
  }),
  'GET /api/tokens': entry('Tokens', 'listTokens', 'List the tokens', {
    answer: [200, 'All but the admin token, by name', 'TokenPage'],
    problems: [400],
  }),
  'POST /api/tokens': entry('Tokens', 'createToken', 'Make one more token', {
    description: 'A token of one company makes only tokens of that company.',
    body: required('NewToken', 'application/json'),
    answer: [201, 'The token, with its secret', 'CreatedToken'],
    problems: wrongChange,
  }),
  'DELETE /api/tokens/{name}': entry('Tokens', 'revokeToken', 'Revoke a token', {
    description: 'It opens nothing any more, at once and on every node.',
    parameters: queryParameters(tokenCompanySchema),
    answer: [204, 'It is revoked'],
    problems: [400, 404, 409],
  }),
  'POST /api/erasures': entry('People', 'erasePerson', 'Erase a person', {
    description:
      'Removes everything that is kept about a person in one company. It cannot be undone.',
    body: required('NewErasure', 'application/json'),
    answer: [200, 'What was removed, and what is still outside', 'Erasure'],
    problems: [400, 404, 413, 415],
  }),
}

type Details = Omit<OperationEntry, 'tag' | 'operationId' | 'summary'>

function entry(
  tag: OperationEntry['tag'],
  operationId: string,
  summary: string,
  details: Details,
): OperationEntry {
  return { tag, operationId, summary, ...details }
}

function required(name: SchemaName, ...types: readonly string[]): object {
  const content = Object.fromEntries(types.map((type) => [type, { schema: ref(name) }]))
  return { required: true, content }
}

function either(...names: readonly SchemaName[]): object {
  return { 'application/json': { schema: { oneOf: names.map(ref) } } }
}
