import { ownBehaviour } from '../controls/behaviour.ts'
import type { Filter, ListOperation, Operation, RecordOperation } from '../operations.ts'
import { filterNames, limitMax } from '../reading/list-question.ts'
import type { Explained } from './choice.ts'
import type { SampleAnswer } from './sample-answers.ts'

/** One parameter of an operation. */
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

type AnyOperation = ListOperation | RecordOperation

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
  if (value.is === 'date') return 'the name, and that timestamps are read, too'
  return value.is === 'choice' ? 'the name, and that other values are refused' : 'the name'
}

function schemaOf({ value }: Filter): ParameterSchema {
  if (value.is === 'identifier') return identifier
  if (value.is === 'flag') return { type: 'boolean', default: true }
  if (value.is === 'choice') return { type: 'string', enum: value.values }
  return { type: 'string', anyOf: [{ format: 'date' }, { format: 'date-time' }] }
}

function exampleOf({ value }: Filter): string | boolean | undefined {
  if (value.is === 'choice') return value.values.find((it) => it === 'APPROVED') ?? value.values[0]
  if (value.is === 'flag') return true
  return value.is === 'date' ? '2026-01-31' : 'usr_ada'
}

const paging: readonly Parameter[] = [
  {
    name: 'limit',
    in: 'query',
    meaning:
      'At most so many records, of which the header Link leads on to the next; all of them where it is left out.',
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
