/* The controls for programs, as the reference tells them; what stands between backticks is code. */
import type { RequestHandler } from 'express'

import companyFileExample from '../../wire/company-example.json' with { type: 'json' }
import { choiceNote, conventions, introduction } from '../openapi/conventions.ts'
import { type DocumentDeps, title, problemsOf, recordOf } from '../openapi/document.ts'
import {
  exampleProblem,
  problemResponses,
  type Parameter,
  parametersOf,
} from '../openapi/responses.ts'
import { sampleAnswers, addressOf, type SampleAnswer } from '../openapi/sample-answers.ts'
import { componentSchemas } from '../openapi/schemas.ts'
import { type AnyOperation, basePath, operations } from '../operations.ts'
import { serveForBaseUrl, type PageAssets, renderPage } from './page-renderer.ts'

/** Every request of the controls. */
const controlRequests = [
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
export const behaviourMembers: readonly {
  readonly written: string
  readonly meaning: string
  readonly example: unknown
}[] = [
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

/** `GET /` and `GET /docs`: the Read API for people, made of what `/openapi.json` is made of. */
export function showDocs(
  deps: Omit<DocumentDeps, 'baseUrl'> & { readonly assets: PageAssets },
): RequestHandler {
  return serveForBaseUrl((baseUrl) => ({
    type: 'text/html; charset=utf-8',
    headers: { 'X-Robots-Tag': 'noindex, nofollow', 'Content-Language': 'en' },
    make: () => renderDocs(deps.assets, { ...deps, baseUrl }),
  }))
}

function renderDocs(assets: PageAssets, { baseUrl, asksForKeys, today }: DocumentDeps): string {
  const answers = sampleAnswers(today)
  const schemas: Schemas = componentSchemas()
  const { users, leaves } = companyFileExample
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
    operations: operations.map((operation) =>
      documented(operation, answers[operation.id], schemas),
    ),
    problems: Object.values(problemResponses),
    problem: JSON.stringify(exampleProblem(problemResponses[400]), null, 2),
    companyFile: JSON.stringify({ users, leaves }, null, 2),
    controlRequests,
    behaviourMembers,
    behaviour: JSON.stringify(
      Object.fromEntries(behaviourMembers.map(({ written, example }) => [written, example])),
    ),
    rich,
  })
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

/** One operation as the page shows it. */
function documented(operation: AnyOperation, sample: SampleAnswer, schemas: Schemas) {
  const { id, summary, description, path } = operation
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

/** What the value of a parameter may be, in words. */
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
  readonly properties?: Schemas
}

type Schemas = Readonly<Record<string, Schema>>

/** The record of that name, and the records within it. */
function recordsWithin(name: string, schemas: Schemas): readonly object[] {
  const { description = '', properties = {} } = schemas[name] ?? {}
  const fields = Object.entries(properties).map(([field, schema]) => ({
    name: field,
    type: typeOf(schema),
    meaning: schema.description,
  }))
  const named = JSON.stringify(properties).matchAll(/"#\/components\/schemas\/(\w+)"/g)
  const inner = [...new Set(named.map(([, other = '']) => other))]
  return [
    { name, meaning: description, fields },
    ...inner
      .filter((other) => schemas[other]?.properties)
      .flatMap((other) => recordsWithin(other, schemas)),
  ]
}

function typeOf({ $ref, type = '', anyOf, items }: Schema): string {
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf('/') + 1)
  if (items) return `list of ${typeOf(items)}`
  return anyOf ? anyOf.map(typeOf).join(' or ') : [type].flat().join(' or ')
}
