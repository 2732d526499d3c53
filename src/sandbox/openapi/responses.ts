/* Headers, problems and parameters of the operations in the OpenAPI document. */
import type { Problem } from '../../web/problem.ts'
import { ownBehaviour } from '../controls/behaviour.ts'
import type { AnyOperation, Filter, ListOperation, Operation } from '../operations.ts'
import { filterNames, limitMax } from '../reading/list-question.ts'
import { described, type Explained } from './conventions.ts'
import type { SampleAnswer } from './sample-answers.ts'
import { schemaAddress } from './schemas.ts'
import texts from './texts.json' with { type: 'json' }

type ProblemResponse = (typeof problemResponses)[ProblemStatus]

export const { problems: problemResponses } = texts

export type ProblemStatus = keyof typeof problemResponses

export function componentHeaders(): Readonly<Record<string, object>> {
  return Object.fromEntries(
    Object.entries(texts.headers).map(([name, { schema, example, ...explained }]) => [
      name,
      { ...described(explained), schema, example },
    ]),
  )
}

/** Returns the responses that all operations share: 304 and the problems. */
export function componentResponses(): Readonly<Record<string, object>> {
  const problems = Object.values(problemResponses)
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
  const { meaning, headers: names } = response
  const schema = { $ref: schemaAddress('Problem') }
  return {
    ...described({ meaning, choice: 'the status and the shape of errors' }),
    ...(names.length > 0 ? { headers: headerRefs(names) } : {}),
    content: { 'application/problem+json': { schema, example: exampleProblem(response) } },
  }
}

export function exampleProblem({ status, title, detail }: ProblemResponse): Problem {
  return { type: 'about:blank', title, status, detail }
}

export function headerRefs(names: readonly string[]): Readonly<Record<string, object>> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** Returns references to these responses and to 304, by status. */
export function responseRefs(statuses: readonly ProblemStatus[]): Readonly<Record<string, object>> {
  const names = statuses.map((status) => [status, nameOf(problemResponses[status])])
  const refs = [['304', 'NotModified'], ...names]
  return Object.fromEntries(
    refs.map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }]),
  )
}

export interface Parameter extends Explained {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly schema: ParameterSchema
  readonly example?: string | number | boolean | undefined
}

export interface ParameterSchema {
  readonly type: 'string' | 'integer' | 'boolean'
  readonly enum?: readonly string[]
  readonly [keyword: string]: unknown
}

const identifier = { type: 'string', minLength: 1, maxLength: 256 } as const

/** Returns all parameters of the operation, with the names of the embedded Read API. */
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
