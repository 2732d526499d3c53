/* The controls for programs, as the reference tells them; what stands between backticks is code. */
import type { RequestHandler } from 'express'

import { companyFileSchema } from '../../wire/company-file.ts'
import { choiceNote, conventions, introduction } from '../openapi/conventions.ts'
import { type DocumentDeps, title, problemsOf, recordOf } from '../openapi/document.ts'
import {
  exampleProblem,
  problemResponses,
  type Parameter,
  parametersOf,
  type ProblemResponse,
} from '../openapi/responses.ts'
import { sampleAnswers, addressOf, type SampleAnswers } from '../openapi/sample-answers.ts'
import { componentSchemas } from '../openapi/schemas.ts'
import { basePath, type ListOperation, operations, type RecordOperation } from '../operations.ts'
import { serveForBaseUrl, type PageAssets, renderPage } from './page-renderer.ts'

/** One thing to write, and what it does. */
export interface DocumentedControl {
  readonly written: string
  readonly meaning: string
}

/** Every request of the controls. */
const controlRequests: readonly DocumentedControl[] = [
  { written: 'GET /sandbox/companies', meaning: 'The ids of the companies that are there.' },
  {
    written: 'GET /sandbox/companies/{company}/{kind}',
    meaning:
      'Its records, as in a company file; at most `limit` of them and, of leaves and timesheets, those of a `userId`. A kind is `users`, `leaves`, `timesheets`, `schedules`, `tasks` or `invoices`.',
  },
  {
    written: 'GET, PUT, DELETE /sandbox/companies/{company}/{kind}/{id}',
    meaning:
      'One record. `PUT` takes all of it, as in a company file (a task with its `projectId`), and adds it where there is none.',
  },
  {
    written: 'POST /sandbox/companies/{company}/reset',
    meaning:
      'Takes everything back: `main` becomes the sample company of today, another one what was imported last.',
  },
  {
    written: 'GET, PUT /sandbox/behaviour',
    meaning:
      'What is imitated. `PUT` replaces all of it, `{}` ends it, and so does a start of the sandbox.',
  },
  { written: 'GET /sandbox/requests', meaning: 'What the Read API was asked lately.' },
]

/** Every member of a behaviour, with a value that it takes. */
export const behaviourMembers: readonly (DocumentedControl & { readonly example: unknown })[] = [
  {
    written: 'latencyMs',
    meaning: 'How long each answer is held back.',
    example: 500,
  },
  {
    written: 'faults',
    meaning:
      'Which operation (its `operationId` in openapi.json) answers which status, how often by chance (`rate`, 0 to 1, 1 where it is left out), and with which `Retry-After` in seconds.',
    example: [{ operation: 'listLeaves', status: 503, rate: 0.5, retryAfter: 2 }],
  },
  {
    written: 'filters',
    meaning: 'Lists (`leaves`, `timesheets`, `schedules`) that accept filters and ignore them.',
    example: { leaves: 'ignored' },
  },
  {
    written: 'pagination',
    meaning:
      'Another style of pages, written as `WORKFORCE_PAGINATION`; `limit` is then unknown, unless the style has it.',
    example: 'link',
  },
  {
    written: 'pageSize',
    meaning: 'How many records a page has that is not asked for by size.',
    example: 2,
  },
  {
    written: 'parameters',
    meaning:
      'Other names of parameters, written as `WORKFORCE_PARAMS`; the usual name is then unknown.',
    example: { leaves: { employee: 'employeeId' } },
  },
  {
    written: 'auth',
    meaning: 'The credential that is asked for, written as `WORKFORCE_AUTH`.',
    example: 'bearer:abc',
  },
]

type DocsDeps = Omit<DocumentDeps, 'baseUrl'> & { readonly assets: PageAssets }

/** `GET /` and `GET /docs`: the Read API for people, made of what `/openapi.json` is made of. */
export function showDocs(deps: DocsDeps): RequestHandler {
  return serveForBaseUrl((baseUrl) => ({
    type: 'text/html; charset=utf-8',
    headers: { 'X-Robots-Tag': 'noindex, nofollow', 'Content-Language': 'en' },
    make: () => renderDocs({ ...deps, baseUrl }),
  }))
}

function renderDocs({ assets, baseUrl, asksForKeys, today }: DocsDeps & DocumentDeps): string {
  const answers = sampleAnswers(today)
  return renderPage(assets, {
    template: 'docs',
    title,
    styles: ['sandbox.css'],
    modules: ['docs.js'],
    baseUrl,
    asksForKeys,
    introduction,
    choiceNote,
    conventions: conventions(asksForKeys),
    operations: documentedOperations(answers, componentSchemas()),
    problems: Object.values(problemResponses),
    problem: JSON.stringify(exampleProblem(problemResponses[400]), null, 2),
    companyFile: JSON.stringify(companyFileExample(), null, 2),
    controlRequests,
    behaviourMembers,
    behaviour: JSON.stringify(behaviourExample),
    rich,
  })
}

/** All members at once. */
const behaviourExample = Object.fromEntries(
  behaviourMembers.map(({ written, example }) => [written, example]),
)

/** A file so small that it can be read at a glance. */
function companyFileExample(): object {
  const { users, leaves } = Object([companyFileSchema()['examples']].flat()[0])
  return { users, leaves }
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

/** A sentence as HTML; what stands between backticks is code. */
function rich(text: string): string {
  const escaped = text.replaceAll(/[&<>"]/g, (sign) => escapes[sign] ?? sign)
  return escaped.replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}

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
function documentedOperations(
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

/** A part of a JSON Schema, as far as the page shows it. */
interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly additionalProperties?: Schema | boolean
  readonly properties?: Readonly<Record<string, Schema>>
}

export type Schemas = Readonly<Record<string, Schema>>

/** One field of a record, as the page shows it. */
interface DocumentedField {
  readonly name: string
  readonly type: string
  readonly meaning: string
}

export interface DocumentedRecord {
  readonly name: string
  readonly meaning: string
  readonly fields: readonly DocumentedField[]
}

/** The record of that name, and those that stand in it. */
function recordsWithin(name: string, schemas: Schemas): readonly DocumentedRecord[] {
  const { description = '', properties = {} } = schemas[name] ?? {}
  const fields = Object.entries(properties)
  const inner = fields.map(([, schema]) => nameWithin(schema) ?? '')
  const others = [...new Set(inner)].filter((it) => schemas[it]?.properties)
  return [
    {
      name,
      meaning: description,
      fields: fields.map(([field, schema]) => ({
        name: field,
        type: typeOf(schema),
        meaning: schema.description ?? '',
      })),
    },
    ...others.flatMap((other) => recordsWithin(other, schemas)),
  ]
}

/** Of what it is, or of what its elements are. */
function nameWithin({ $ref, items, anyOf, additionalProperties }: Schema): string | undefined {
  if ($ref !== undefined) return $ref.split('/').at(-1)
  const inner = [items, ...(anyOf ?? []), additionalProperties].filter(
    (it) => typeof it === 'object',
  )
  return inner.map(nameWithin).find((it) => it !== undefined)
}

function typeOf(schema: Schema): string {
  const { $ref, type, anyOf = [], items } = schema
  if ($ref !== undefined) return nameWithin(schema) ?? ''
  if (items) return `list of ${nameWithin(items)}`
  const types = anyOf.length > 0 ? anyOf.map(typeOf) : [type ?? ''].flat()
  return types
    .join(' or ')
    .replace('object', nameWithin(schema) ? `${nameWithin(schema)} by day` : 'object')
}
