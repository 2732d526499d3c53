import type { RequestHandler } from 'express'

import companyFileExample from '../../wire/company-example.json' with { type: 'json' }
import { conventions } from '../openapi/conventions.ts'
import { type DocumentDeps, title, problemsOf } from '../openapi/document.ts'
import {
  exampleProblem,
  problemResponses,
  type Parameter,
  parametersOf,
} from '../openapi/responses.ts'
import { sampleAnswers, addressOf, type SampleAnswer } from '../openapi/sample-answers.ts'
import { componentSchemas } from '../openapi/schemas.ts'
import texts from '../openapi/texts.json' with { type: 'json' }
import { type AnyOperation, basePath, operations } from '../operations.ts'
import controls from './controls.json' with { type: 'json' }
import { serveForBaseUrl, type PageAssets, renderPage } from './page-renderer.ts'

/** Serves `GET /` and `GET /docs`, the Read API for people, from the same data as `/openapi.json`. */
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
    introduction: texts.introduction,
    choiceNote: texts.choiceNote,
    conventions: conventions(asksForKeys),
    operations: operations.map((operation) =>
      documented(operation, answers[operation.id], schemas),
    ),
    problems: Object.values(problemResponses),
    problem: JSON.stringify(exampleProblem(problemResponses[400]), null, 2),
    companyFile: JSON.stringify({ users, leaves }, null, 2),
    controlRequests: controls.requests,
    behaviourMembers: controls.members,
    behaviour: JSON.stringify(
      Object.fromEntries(controls.members.map(({ written, example }) => [written, example])),
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

/** Returns a sentence as HTML; text between backticks becomes code. */
function rich(text: string): string {
  const escaped = text.replaceAll(/[&<>"]/g, (sign) => escapes[sign] ?? sign)
  return escaped.replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}

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
    records: recordsWithin(operation.answers.name, schemas),
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

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly properties?: Schemas
}

type Schemas = Readonly<Record<string, Schema>>

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
