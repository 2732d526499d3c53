import { tokenCompanySchema } from '../../access/api-tokens.ts'
import { auditListSchema } from '../../access/audit-log.ts'
import type { StaffRoute } from '../../access/needed-roles.ts'
import { explanationQuerySchema } from '../../feeds/feed-explanation.ts'
import { endSchema, feedListSchema, previewSchema, tableSchema } from '../../feeds/feed-input.ts'
import { peopleListSchema } from '../../feeds/people-listing.ts'
import { linesType } from './feed-changes.ts'
import { type Parameter, queryParameters, ref, type SchemaName } from './openapi-schemas.ts'

/** An operation of the document, without path parameters and the errors common to all operations. */
export interface OperationEntry {
  readonly operationId: string
  readonly tag: 'Feeds' | 'Links' | 'Companies' | 'Audit' | 'Tokens' | 'People'
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly body?: object
  /** Status, description and content: a schema name for JSON, or content by media type. */
  readonly answer: readonly [status: 200 | 201 | 204, holds: string, content?: SchemaName | object]
  readonly problems: readonly ProblemStatus[]
}

export const problems = {
  400: 'Invalid input. The first hundred faults have a JSON Pointer each; detail says how many more there are',
  401: 'The token is missing or invalid',
  403: 'The role is not sufficient, or a change by a sign-in does not come from a page of the bridge',
  404: 'The feed, link, token, person or company does not exist, or this token may not see it',
  409: 'It conflicts with what already exists',
  413: 'The body is too large: at most 256 KiB, or 4 MiB for a list, a table or ids',
  415: 'The content type or encoding of the body is not supported',
  429: 'Too many failed sign-ins from this address, or too many tables at once; Retry-After says how long to wait',
  503: 'The database or, where it is needed, the Read API does not answer',
} as const

export type ProblemStatus = keyof typeof problems

const table = { schema: { type: 'string' } }
const ended: Details = {
  parameters: queryParameters(endSchema).map((it) => ({ ...it, allowEmptyValue: true })),
  answer: [204, 'It has ended'],
  problems: [400, 404],
}
const wrongChange = [400, 404, 409, 413, 415] as const

export const operations: Readonly<Record<StaffRoute, OperationEntry>> = {
  'POST /api/feeds': entry('Feeds', 'createFeeds', 'Create one feed or many', {
    description:
      'One feed as an object, several as an array, or a table with the columns userId,name,timezone,locale,audience,scheduleIds,options only userId is required; an email that differs from the Read API’s is a fault. At most 10,000. All are checked before the first one is created. A table row with an existing company, user and name is skipped; a row that cannot be stored is failed, and the rest continues. No other reply shows the addresses. With Accept: text/csv, the answer to a table is a table.',
    parameters: [
      idempotencyKey(
        'Repeating the request with the same key within 24 hours creates nothing and shows no address; the reply has Idempotency-Replayed: true. Tables do not need a key.',
      ),
      ...queryParameters(tableSchema),
    ],
    body: { required: true, content: { ...either('NewFeed', 'NewFeeds'), 'text/csv': table } },
    answer: [
      201,
      'The feed, or the feeds in the order of the request',
      { ...either('CreatedFeed', 'CreatedFeeds'), 'text/csv': table },
    ],
    problems: wrongChange,
  }),
  'GET /api/feeds': entry('Feeds', 'listFeeds', 'List feeds', {
    description: 'In order of creation, page by page; all states by default.',
    parameters: queryParameters(feedListSchema),
    answer: [200, 'A page; nextCursor asks for the next one', 'FeedPage'],
    problems: [400, 404],
  }),
  'GET /api/feeds/{id}': entry(
    'Feeds',
    'showFeed',
    'Show a feed, its clients, and how old its data is',
    { answer: [200, 'The feed', 'FeedDetails'], problems: [400, 404] },
  ),
  'PATCH /api/feeds/{id}': entry('Feeds', 'updateFeed', 'Change a feed', {
    description:
      'An RFC 7396 merge patch: omitted members stay, null restores the default. Addresses stay. Company and audience cannot change, nor can the user of an own feed.',
    body: required('FeedPatch', 'application/merge-patch+json', 'application/json'),
    answer: [200, 'The feed', 'CreatedFeed'],
    problems: wrongChange,
  }),
  'DELETE /api/feeds/{id}': entry('Feeds', 'revokeFeed', 'End a feed with all of its links', ended),
  'GET /api/feeds/{id}/preview': entry(
    'Feeds',
    'previewFeed',
    'Show the calendar of a feed, without a link',
    {
      description:
        'The same events as the .json of a link, each with the SEQUENCE of a calendar that has never changed.',
      parameters: queryParameters(previewSchema),
      answer: [200, 'The calendar', 'Calendar'],
      problems: [400, 404, 409, 503],
    },
  ),
  'POST /api/feed-changes': entry('Feeds', 'changeFeeds', 'Change, rotate or revoke many feeds', {
    description:
      'Changes up to 10,000 ids, or all feeds that match a filter and existed when the request came, in order of creation. The request is checked before the first feed changes. Each feed has a line, written once its change is stored; a feed that cannot be changed is failed, and the rest continues. If the connection is lost, no further feed changes. Patches and revocations can be repeated; a rotation only with an Idempotency-Key, otherwise each feed gets yet another address.',
    parameters: [
      idempotencyKey(
        'For rotations: repeating the request with the same key within 24 hours rotates no feed twice. A feed that was rotated is done, without its addresses, which are shown once.',
      ),
    ],
    body: required('FeedChanges', 'application/json'),
    answer: [200, 'The lines', { [linesType]: { schema: ref('FeedChange') } }],
    problems: wrongChange,
  }),
  'GET /api/feeds/{id}/explanation': entry(
    'Feeds',
    'explainFeed',
    'Say why something is in a calendar or missing from it',
    {
      description:
        'Lists once every record that was read for the feed, with whether the calendar has it now and why; how old everything is; and when the calendar program of each link asks. It reads the Read API as a poll of the calendar would, and changes nothing.',
      parameters: queryParameters(explanationQuerySchema),
      answer: [200, 'The explanation', 'Explanation'],
      problems: [400, 404],
    },
  ),
  'POST /api/feeds/{id}/links': entry('Links', 'createLink', 'Add a link to a feed', {
    body: required('NewLink', 'application/json'),
    answer: [201, 'The link', 'Link'],
    problems: wrongChange,
  }),
  'POST /api/feeds/{id}/rotations': entry('Links', 'rotateLink', 'Replace a link', {
    description:
      'The old link ends now or after graceDays; until then its calendar says when it ends. It is renamed and cannot be rotated again. The warnings name every other address of the feed that keeps working.',
    body: { ...required('Rotation', 'application/json'), required: false },
    answer: [201, 'The new link', 'RotatedLink'],
    problems: wrongChange,
  }),
  'DELETE /api/feeds/{id}/links/{label}': entry('Links', 'endLink', 'End one link', ended),
  'GET /api/companies': entry('Companies', 'listCompanies', 'List the companies', {
    answer: [200, 'The companies that this token can see', 'CompanyPage'],
    problems: [400],
  }),
  'GET /api/companies/{id}': entry('Companies', 'showCompany', 'Show a company', {
    answer: [200, 'The company with its defaults', 'Company'],
    problems: [400, 404],
  }),
  'PATCH /api/companies/{id}': entry('Companies', 'updateCompany', 'Change the defaults', {
    description:
      'An RFC 7396 merge patch of the defaults: omitted members stay, null removes a default. What a feed sets itself stays; all else follows at the feed’s next poll.',
    body: required('CompanyPatch', 'application/merge-patch+json', 'application/json'),
    answer: [200, 'The company', 'ChangedCompany'],
    problems: [400, 404, 413, 415],
  }),
  'GET /api/companies/{id}/examination': entry(
    'Companies',
    'showExamination',
    'Show the last examination of the company’s Read API',
    { answer: [200, 'The findings', 'Examination'], problems: [400, 404] },
  ),
  'GET /api/companies/{id}/people': entry('People', 'listPeople', 'List the people of a company', {
    description: 'Everybody the bridge has seen, by name, with their feeds.',
    parameters: queryParameters(peopleListSchema),
    answer: [200, 'A page; nextCursor asks for the next one', 'PeoplePage'],
    problems: [400, 404],
  }),
  'GET /api/companies/{id}/people/{userId}/data': entry(
    'People',
    'exportPerson',
    'Show everything kept about a person',
    {
      description:
        'Everything that an erasure would remove, without secrets and other people’s data (GDPR article 15). The audit log notes it.',
      answer: [200, 'Everything kept about the person', 'PersonData'],
      problems: [400, 404],
    },
  ),
  'GET /api/audit': entry('Audit', 'listAudit', 'Show the audit log', {
    description: 'Newest first, page by page. Erased people are not named.',
    parameters: queryParameters(auditListSchema),
    answer: [200, 'A page; nextCursor asks for the next one', 'AuditPage'],
    problems: [400],
  }),
  'GET /api/tokens': entry('Tokens', 'listTokens', 'List the tokens', {
    answer: [200, 'All tokens except the admin token, by name', 'TokenPage'],
    problems: [400],
  }),
  'POST /api/tokens': entry('Tokens', 'createToken', 'Create a token', {
    description: 'A token of one company can only create tokens of that company.',
    body: required('NewToken', 'application/json'),
    answer: [201, 'The token, with its secret', 'CreatedToken'],
    problems: wrongChange,
  }),
  'DELETE /api/tokens/{name}': entry('Tokens', 'revokeToken', 'Revoke a token', {
    description: 'It stops working at once, on every node.',
    parameters: queryParameters(tokenCompanySchema),
    answer: [204, 'It is revoked'],
    problems: [400, 404, 409],
  }),
  'POST /api/erasures': entry('People', 'erasePerson', 'Erase a person', {
    description: 'Removes everything stored about a person in one company. This cannot be undone.',
    body: required('NewErasure', 'application/json'),
    answer: [200, 'What was removed, and where copies may remain', 'Erasure'],
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

function idempotencyKey(description: string): Parameter {
  const schema = { type: 'string', minLength: 1, maxLength: 255 }
  return { name: 'Idempotency-Key', in: 'header', description, schema }
}

function required(name: SchemaName, ...types: readonly string[]): object {
  const content = Object.fromEntries(types.map((type) => [type, { schema: ref(name) }]))
  return { required: true, content }
}

function either(...names: readonly SchemaName[]): object {
  return { 'application/json': { schema: { oneOf: names.map(ref) } } }
}
