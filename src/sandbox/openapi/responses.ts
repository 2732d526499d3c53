/* What an operation answers beside its records: headers, and what may go wrong. */
import type { Problem } from '../../web/problem.ts'
import { ownBehaviour } from '../controls/behaviour.ts'
import type { AnyOperation, Filter, ListOperation, Operation } from '../operations.ts'
import { filterNames, limitMax } from '../reading/list-question.ts'
import { described, type Explained } from './conventions.ts'
import type { SampleAnswer } from './sample-answers.ts'
import { schemaAddress } from './schemas.ts'

interface Header extends Explained {
  readonly schema: object
  readonly example: string | number
}

const headers: Readonly<Record<string, Header>> = {
  ETag: {
    meaning: 'A weak entity tag: the same as long as nothing of the company has changed.',
    choice: 'caching',
    schema: { type: 'string' },
    example: 'W/"u2MeMH3Aowzn1CIbXJ1Yf0cVbjU"',
  },
  Link: {
    meaning: 'The address of the next page, as rel="next" (RFC 8288); missing after the last.',
    choice: 'paging',
    schema: { type: 'string' },
    example: '</api/public/v1/leaves?limit=2&cursor=WyJkMkR4>; rel="next"',
  },
  'Retry-After': {
    meaning: 'So many seconds are to be waited before the request is sent again.',
    choice: 'limits',
    schema: { type: 'integer', minimum: 1 },
    example: 30,
  },
  Allow: {
    meaning: 'The methods that are taken here.',
    choice: 'errors',
    schema: { type: 'string' },
    example: 'GET, HEAD',
  },
  'WWW-Authenticate': {
    meaning: 'How a key is sent (RFC 6750).',
    choice: 'authentication',
    schema: { type: 'string' },
    example: 'Bearer',
  },
}

interface ProblemResponse {
  readonly status: number
  readonly meaning: string
  readonly title: string
  /** As an example. */
  readonly detail: string
  readonly headers?: readonly string[]
}

export const problemResponses = {
  400: {
    status: 400,
    meaning:
      'A parameter that is unknown here, stands there twice, or has a value that cannot be meant; the detail names it and the nearest right one.',
    title: 'Bad Request',
    detail: 'There is no parameter user here; did you mean `userId`?',
  },
  401: {
    status: 401,
    meaning: 'No key, or one that is not known.',
    title: 'Unauthorized',
    detail: 'This needs a key as a bearer token (Authorization: Bearer KEY).',
    headers: ['WWW-Authenticate'],
  },
  404: {
    status: 404,
    meaning:
      'The company has nothing of this id; what another company has is not told apart from that.',
    title: 'Not Found',
    detail: 'There is no user usr_nobody.',
  },
  405: {
    status: 405,
    meaning: 'Another method than GET or HEAD.',
    title: 'Method Not Allowed',
    detail: 'The Read API is only read from: GET or HEAD.',
    headers: ['Allow'],
  },
  429: {
    status: 429,
    meaning: 'Asked too often.',
    title: 'Too Many Requests',
    detail: 'Too many requests. Wait a minute.',
    headers: ['Retry-After'],
  },
  500: {
    status: 500,
    meaning: 'The sandbox has failed; nothing of its inside is told.',
    title: 'Internal Server Error',
    detail: 'The Read API failed.',
  },
  503: {
    status: 503,
    meaning: 'The company is being reloaded.',
    title: 'Service Unavailable',
    detail: 'The company is being reloaded; try again.',
    headers: ['Retry-After'],
  },
} as const satisfies Readonly<Record<number, ProblemResponse>>

export type ProblemStatus = keyof typeof problemResponses

export function componentHeaders(): Readonly<Record<string, object>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, { schema, example, ...explained }]) => [
      name,
      { ...described(explained), schema, example },
    ]),
  )
}

/** What any operation may answer beside its records. */
export function componentResponses(): Readonly<Record<string, object>> {
  const problems = Object.values<ProblemResponse>(problemResponses)
  const meaning = 'The client has the answer already: nothing has changed.'
  return {
    NotModified: { ...described({ meaning, choice: 'caching' }), headers: headerRefs(['ETag']) },
    ...Object.fromEntries(problems.map((it) => [nameOf(it), problemResponse(it)])),
  }
}

function nameOf({ title }: Pick<ProblemResponse, 'title'>): string {
  return title.replaceAll(' ', '')
}

function problemResponse(response: ProblemResponse): object {
  const { meaning, headers: names = [] } = response
  const schema = { $ref: schemaAddress('Problem') }
  return {
    ...described({ meaning, choice: 'the status and the shape of errors' }),
    ...(names.length > 0 ? { headers: headerRefs(names) } : {}),
    content: { 'application/problem+json': { schema, example: exampleProblem(response) } },
  }
}

/** The problem document that the response has as its example. */
export function exampleProblem({ status, title, detail }: ProblemResponse): Problem {
  return { type: 'about:blank', title, status, detail }
}

/** Those headers, by where they stand in the document. */
export function headerRefs(names: readonly string[]): Readonly<Record<string, object>> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** Those responses, by status. */
export function responseRefs(statuses: readonly ProblemStatus[]): Readonly<Record<string, object>> {
  const refs = statuses.map((status) => [status, nameOf(problemResponses[status])] as const)
  return Object.fromEntries(
    [[304, 'NotModified'] as const, ...refs].map(([status, name]) => [
      String(status),
      { $ref: `#/components/responses/${name}` },
    ]),
  )
}

export interface Parameter extends Explained {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly schema: ParameterSchema
  readonly example?: string | number | boolean | undefined
}

/** What its value may be, as JSON Schema. */
export interface ParameterSchema {
  readonly type: 'string' | 'integer' | 'boolean'
  readonly enum?: readonly string[]
  readonly [keyword: string]: unknown
}

const identifier = { type: 'string', minLength: 1, maxLength: 256 } as const

/** Every parameter of the operation, by the names that the embedded Read API uses. */
export function parametersOf(
  operation: AnyOperation,
  { values }: SampleAnswer,
): readonly Parameter[] {
  const inPath = operation.path.includes('{id}') ? [pathParameter(operation, values)] : []
  return 'list' in operation ? [...inPath, ...filtersOf(operation), ...paging] : inPath
}

function pathParameter({ path }: Operation, { id }: SampleAnswer['values']): Parameter {
  const noun = /^\/(\w+)s\//.exec(path)?.[1] ?? ''
  return {
    name: 'id',
    in: 'path',
    meaning: `The ${noun} identifier.`,
    schema: identifier,
    example: id,
  }
}

function filtersOf(operation: ListOperation): readonly Parameter[] {
  const names = filterNames(operation, ownBehaviour)
  return Object.entries(operation.filters).map(([key, filter]) => ({
    name: names.get(key) ?? key,
    in: 'query',
    meaning: `${capitalized(filter.meaning)}.`,
    choice: choiceOf(filter),
    schema: schemaOf(filter),
    example: exampleOf(filter),
  }))
}

function choiceOf({ value }: Filter): string {
  if (value === 'date') return 'the name, and that timestamps are read, too'
  return typeof value === 'string' ? 'the name' : 'the name, and that other values are refused'
}

function schemaOf({ value }: Filter): ParameterSchema {
  if (value === 'identifier') return identifier
  if (value === 'flag') return { type: 'boolean', default: true }
  if (value === 'date')
    return { type: 'string', anyOf: [{ format: 'date' }, { format: 'date-time' }] }
  return { type: 'string', enum: value }
}

function exampleOf({ value }: Filter): string | boolean | undefined {
  if (value === 'identifier') return 'usr_ada'
  if (value === 'flag') return true
  if (value === 'date') return '2026-01-31'
  return value.find((it) => it === 'APPROVED') ?? value[0]
}

const paging: readonly Parameter[] = [
  {
    name: 'limit',
    in: 'query',
    meaning:
      'Maximum number of records; the Link header leads to the next page. Without it, all records come.',
    choice: 'paging',
    schema: { type: 'integer', minimum: 1, maximum: limitMax },
    example: 2,
  },
  {
    name: 'cursor',
    in: 'query',
    meaning:
      'Where the page before ended: opaque, as the header Link has it, and only with the same filters.',
    choice: 'paging',
    schema: { type: 'string', minLength: 1 },
  },
]

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
