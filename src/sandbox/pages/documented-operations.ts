import { problemsOf, recordOf } from '../openapi/document.ts'
import { type Parameter, parametersOf } from '../openapi/parameters.ts'
import { type ProblemResponse, problemResponses } from '../openapi/responses.ts'
import { addressOf, type SampleAnswers } from '../openapi/sample-answers.ts'
import { basePath, type ListOperation, operations, type RecordOperation } from '../operations.ts'
import { type DocumentedRecord, recordsWithin, type Schemas } from './documented-records.ts'

/** A parameter, and the field that asks for it. */
interface AskedParameter extends Parameter {
  /** What its value may be, in words. */
  readonly takes: string
  /** What the field holds at first. */
  readonly value: string | undefined
}

/** One operation as the page shows it. */
export interface DocumentedOperation {
  readonly id: string
  readonly summary: string
  readonly description: string
  readonly path: string
  /** In which order a list comes. */
  readonly order: string | undefined
  readonly parameters: readonly AskedParameter[]
  /** The address that the fields make as they are at first. */
  readonly address: string
  /** What that answers, as text. */
  readonly answer: string
  readonly records: readonly DocumentedRecord[]
  readonly problems: readonly ProblemResponse[]
}

/** All operations, with what the sample answers. */
export function documentedOperations(
  answers: SampleAnswers,
  schemas: Schemas,
): readonly DocumentedOperation[] {
  return operations.map((operation) => documented(operation, answers, schemas))
}

function documented(
  operation: ListOperation | RecordOperation,
  answers: SampleAnswers,
  schemas: Schemas,
): DocumentedOperation {
  const { id, summary, description, path } = operation
  const sample = answers[id]
  return {
    id,
    summary,
    description,
    path: `${basePath}${path}`,
    order: 'list' in operation ? operation.order : undefined,
    parameters: parametersOf(operation, sample).map((it) => ({
      ...it,
      takes: takesOf(it),
      value: sample.values[it.name],
    })),
    address: addressOf(operation, sample.values),
    answer: JSON.stringify(sample.body, null, 2),
    records: recordsWithin(recordOf(operation), schemas),
    problems: problemsOf(operation).map((status) => problemResponses[status]),
  }
}

function takesOf({ schema }: Parameter): string {
  const { type, enum: values, minimum, maximum } = schema
  if (values) return values.join(', ')
  if (type === 'integer') return `${Number(minimum)} to ${Number(maximum).toLocaleString('en')}`
  if (type === 'boolean') return 'true, false'
  return 'anyOf' in schema ? 'date or timestamp' : 'text'
}
