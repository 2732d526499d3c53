import type { RequestHandler } from 'express'

import { componentSchemas, listParameters, type SchemaName } from './openapi-schemas.ts'

/** One operation of the API, as the document has it. */
export interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly security?: readonly object[]
  readonly parameters?: readonly object[]
  readonly requestBody?: object
  readonly responses: Readonly<Record<string, object>>
}

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly security: readonly object[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: object
}

const problems = {
  400: 'What is wrong with the input, each fault with its JSON Pointer',
  401: 'No admin token, or a wrong one',
  404: 'There is no such feed, link or company',
  409: 'What is there stands against it',
  413: 'The body is too large',
  415: 'The body is in a form that is not read here',
  429: 'Too many wrong sign-ins from this address; Retry-After says how long to wait',
  503: 'The database, or the Read API where it is needed, does not answer',
} as const

type ProblemStatus = keyof typeof problems

/** `GET /openapi.json`: the API for programs. */
export function serveOpenApi({ publicUrl }: { readonly publicUrl: string }): RequestHandler {
  const document = openApiDocument(publicUrl)
  return (_, response) => {
    response.json(document)
  }
}

/** The whole API as an OpenAPI 3.1 document, made of the schemas that check what comes in. */
export function openApiDocument(publicUrl: string): OpenApiDocument {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Calendar feed bridge',
      version: '1',
      description:
        'Makes, changes and ends the secret calendar addresses of people. Every request carries the admin token: Authorization: Bearer ADMIN_TOKEN.',
    },
    servers: [{ url: publicUrl }],
    security: [{ adminToken: [] }],
    paths: {
      '/api/feeds': { post: createFeeds(), get: listFeeds() },
      '/api/feeds/{id}': { get: showFeed(), patch: updateFeed(), delete: revokeFeed() },
      '/api/feeds/{id}/links': { post: createLink() },
      '/api/feeds/{id}/rotations': { post: rotateLink() },
      '/api/feeds/{id}/links/{label}': { delete: endLink() },
      '/api/companies/{id}/examination': { get: showExamination() },
    },
    components: {
      securitySchemes: { adminToken: { type: 'http', scheme: 'bearer' } },
      schemas: componentSchemas(),
    },
  }
}

function createFeeds(): Operation {
  return {
    operationId: 'createFeeds',
    tags: ['Feeds'],
    summary: 'Make one feed or many',
    description:
      'One feed as an object, several as an array, or a table with the columns userId,name,timezone,scheduleIds,options of which only userId is needed. All are checked before the first is made. A row of a table whose company, user and name exist is skipped, and one that cannot be kept is failed while the others go on. The addresses stand in no other reply. With Accept: text/csv a table is answered with a table.',
    parameters: [
      {
        name: 'Idempotency-Key',
        in: 'header',
        description:
          'The same request with the same key, within 24 hours, makes nothing and shows no address again; the reply says so with Idempotency-Replayed: true. Tables need none.',
        schema: { type: 'string', minLength: 1, maxLength: 255 },
      },
      { name: 'companyId', in: 'query', description: 'Of a table', schema: { type: 'string' } },
    ],
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: { oneOf: [ref('NewFeed'), ref('NewFeeds')] } },
        'text/csv': { schema: { type: 'string' } },
      },
    },
    responses: {
      201: {
        description: 'The feed, or the feeds in the order in which they were asked for',
        content: {
          'application/json': { schema: { oneOf: [ref('CreatedFeed'), ref('CreatedFeeds')] } },
          'text/csv': { schema: { type: 'string' } },
        },
      },
      ...failing(400, 409, 413, 415),
    },
  }
}

function listFeeds(): Operation {
  return {
    operationId: 'listFeeds',
    tags: ['Feeds'],
    summary: 'List feeds',
    description: 'In order of creation, revoked and closed ones included, page by page.',
    parameters: listParameters(),
    responses: {
      200: answer('A page; nextCursor asks for the next one', 'FeedPage'),
      ...failing(400),
    },
  }
}

function showFeed(): Operation {
  return {
    operationId: 'showFeed',
    tags: ['Feeds'],
    summary: 'Show a feed, who asked for it, and how old its copies are',
    parameters: [idParameter],
    responses: { 200: answer('The feed', 'FeedDetails'), ...failing(404) },
  }
}

function updateFeed(): Operation {
  return {
    operationId: 'updateFeed',
    tags: ['Feeds'],
    summary: 'Change a feed',
    description:
      'An RFC 7396 merge patch: what is left out stays, null takes the default again. No address changes. Company and audience are fixed, and so is the user of an own feed.',
    parameters: [idParameter],
    requestBody: body('FeedPatch', 'application/merge-patch+json', 'application/json'),
    responses: { 200: answer('The feed', 'CreatedFeed'), ...failing(400, 404, 409, 413, 415) },
  }
}

function revokeFeed(): Operation {
  return {
    operationId: 'revokeFeed',
    tags: ['Feeds'],
    summary: 'End a feed with all of its links',
    parameters: [idParameter, purgeParameter],
    responses: { 204: { description: 'It has ended' }, ...failing(404) },
  }
}

function createLink(): Operation {
  return {
    operationId: 'createLink',
    tags: ['Links'],
    summary: 'Add a link to a feed',
    parameters: [idParameter],
    requestBody: body('NewLink', 'application/json'),
    responses: { 201: answer('The link', 'Link'), ...failing(400, 404, 409, 413, 415) },
  }
}

function rotateLink(): Operation {
  return {
    operationId: 'rotateLink',
    tags: ['Links'],
    summary: 'Put a new link in the place of one',
    description:
      'The old one ends now or after graceDays, in which its calendar says when it ends; it is renamed apart.',
    parameters: [idParameter],
    requestBody: { ...body('Rotation', 'application/json'), required: false },
    responses: { 201: answer('The new link', 'Link'), ...failing(400, 404, 409, 413, 415) },
  }
}

function endLink(): Operation {
  return {
    operationId: 'endLink',
    tags: ['Links'],
    summary: 'End one link',
    parameters: [idParameter, pathParameter('label'), purgeParameter],
    responses: { 204: { description: 'It has ended' }, ...failing(404) },
  }
}

function showExamination(): Operation {
  return {
    operationId: 'showExamination',
    tags: ['Companies'],
    summary: 'What was found when the company’s Read API was last examined',
    parameters: [pathParameter('id')],
    responses: { 200: answer('The findings', 'Examination'), ...failing(404) },
  }
}

const idParameter = pathParameter('id')
const purgeParameter = {
  name: 'purge',
  in: 'query',
  description: 'First 30 days of a calendar of one event that says that it has ended',
  allowEmptyValue: true,
  schema: { type: 'boolean' },
}

function pathParameter(name: string): object {
  return { name, in: 'path', required: true, schema: { type: 'string' } }
}

function body(name: SchemaName, ...types: readonly string[]): object {
  const content = Object.fromEntries(types.map((type) => [type, { schema: ref(name) }]))
  return { required: true, content }
}

function answer(description: string, name: SchemaName): object {
  return { description, content: { 'application/json': { schema: ref(name) } } }
}

function failing(...statuses: readonly ProblemStatus[]): Readonly<Record<string, object>> {
  const all = new Set<ProblemStatus>([...statuses, 401, 429, 503])
  return Object.fromEntries(
    [...all].map((status) => [
      status,
      {
        description: problems[status],
        content: { 'application/problem+json': { schema: ref('Problem') } },
      },
    ]),
  )
}

function ref(name: SchemaName): object {
  return { $ref: `#/components/schemas/${name}` }
}
