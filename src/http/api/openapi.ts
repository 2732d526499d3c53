import type { RequestHandler } from 'express'

import { neededOnRoutes } from '../../access/needed-roles.ts'
import { serveLasting } from '../../web/lasting-answer.ts'
import examples from './examples.json' with { type: 'json' }
import { componentSchemas, type Parameter, ref } from './openapi-schemas.ts'
import { type OperationEntry, operations, problems, type ProblemStatus } from './operations.ts'

export interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly object[]
  readonly requestBody?: object
  readonly responses: Readonly<Record<string, object>>
}

export interface OpenApiDocument {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly security: readonly object[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: object
}

/** Any operation may return these. */
const commonProblems = [401, 403, 429, 503] as const

/** `GET /openapi.json`: the API's description for programs. */
export function serveOpenApi(publicUrl: string): RequestHandler {
  return serveLasting({
    type: 'application/json; charset=utf-8',
    make: () => JSON.stringify(openApiDocument(publicUrl)),
  })
}

/** Returns the whole API as an OpenAPI 3.1 document, built from the schemas that validate requests and type responses. */
export function openApiDocument(publicUrl: string): OpenApiDocument {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Calendar feed bridge',
      version: '1',
      description:
        'Makes, changes and ends the secret calendar addresses of people. Every request carries a token: Authorization: Bearer TOKEN, the admin token or one of POST /api/tokens. A reader sees; support also makes, changes and ends; an admin may do all. A token of one company sees nothing of any other: 404.',
    },
    servers: [{ url: publicUrl }],
    security: [{ token: [] }],
    paths: pathsOf(operations),
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: componentSchemas(),
    },
  }
}

function pathsOf(entries: Readonly<Record<string, OperationEntry>>): OpenApiDocument['paths'] {
  const paths: Record<string, Record<string, Operation>> = {}
  for (const [route, entry] of Object.entries(entries)) {
    const [method = '', path = ''] = route.split(' ')
    const needed = `Needs the role ${new Map(Object.entries(neededOnRoutes)).get(route)}.`
    const description = [entry.description, needed].filter((it) => it !== undefined).join(' ')
    const operation = operationOf(path, { ...entry, description })
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation }
  }
  return paths
}

function operationOf(
  path: string,
  { tag, body, parameters = [], answer, problems: own, ...said }: OperationEntry,
): Operation {
  const example = allExamples.get(said.operationId) ?? {}
  const all = [...pathParameters(path), ...parameters].map((it) => withExample(it, example))
  const { request, response, tables } = example
  const asked = body && withBodyExample(body, request, tables?.request)
  const answered = withBodyExample(responseOf(answer), response, tables?.response)
  return {
    ...said,
    tags: [tag],
    ...(all.length > 0 ? { parameters: all } : {}),
    ...(asked ? { requestBody: asked } : {}),
    responses: { [answer[0]]: answered, ...problemsOf([...own, ...commonProblems]) },
  }
}

function pathParameters(path: string): readonly Parameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

function responseOf([, description, content]: OperationEntry['answer']): object {
  if (content === undefined) return { description }
  if (typeof content !== 'string') return { description, content }
  return { description, content: { 'application/json': { schema: ref(content) } } }
}

function problemsOf(statuses: readonly ProblemStatus[]): Readonly<Record<string, object>> {
  const content = { 'application/problem+json': { schema: ref('Problem') } }
  return Object.fromEntries(
    statuses.map((status) => [status, { description: problems[status], content }]),
  )
}

const allExamples = new Map<string, Example>(Object.entries(examples))

/** A request to a bridge with the sample company, and its response; ids and tokens are invented. */
export interface Example {
  readonly parameters?: Readonly<Record<string, string>>
  readonly request?: unknown
  readonly response?: unknown
  /** The same as tables, for operations that take and return them. */
  readonly tables?: Tables | undefined
}

/** As CSV. */
interface Tables {
  readonly request: string
  readonly response: string
}

function withExample(parameter: Parameter, { parameters = {} }: Example): object {
  const example = parameters[parameter.name]
  return example === undefined ? parameter : { ...parameter, example }
}

function withBodyExample(body: object, json: unknown, table: string | undefined): object {
  if (!('content' in body)) return body
  const content = Object.entries(Object(body.content)).map(([type, form]) => {
    const example = type === 'text/csv' ? table : json
    return [type, example === undefined ? form : { ...Object(form), example }]
  })
  return { ...body, content: Object.fromEntries(content) }
}
