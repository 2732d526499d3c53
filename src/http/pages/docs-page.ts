import type { RequestHandler } from 'express'

import { listOptions } from '../../feeds/feed-options.ts'
import { serveLasting } from '../../web/lasting-answer.ts'
import type { Problem } from '../../web/problem.ts'
import { type Operation, openApiDocument } from '../api/openapi.ts'
import type { HttpDeps } from '../http-deps.ts'
import { type PageDeps, renderPage } from './page.ts'
import { type Field, fieldOf, fieldsOf, namesWithin, type Schema, typeOf } from './schema-fields.ts'

type FirstRequestDeps = Pick<HttpDeps, 'publicUrl' | 'tokenFile'>
type Schemas = Readonly<Record<string, Schema>>

interface Parameter {
  readonly name?: string
  readonly in?: string
  readonly required?: boolean
  readonly description?: string
  readonly schema?: Schema
  readonly example?: string
}

interface Body {
  readonly description?: string
  readonly content?: Readonly<
    Record<string, { readonly schema?: Schema; readonly example?: unknown }>
  >
}

/** `GET /docs`: the API for people, from the same document as `/openapi.json`. */
export function showDocs(deps: PageDeps): RequestHandler {
  return serveLasting({
    type: 'text/html; charset=utf-8',
    headers: { 'X-Robots-Tag': 'noindex, nofollow', 'Content-Language': 'en' },
    make: () => renderDocs(deps),
  })
}

/** Returns a complete request to paste. The page is public, so it shows no folder outside the program's own. */
export function firstRequest({ publicUrl, tokenFile }: FirstRequestDeps): string {
  return `curl -H "Authorization: Bearer ${tokenIn(tokenFile)}" "${publicUrl}/api/feeds"`
}

function tokenIn(tokenFile = ''): string {
  const isInside = /^\w[\w./-]*$/.test(tokenFile)
  return isInside ? `$(cat ${tokenFile})` : '$ADMIN_TOKEN'
}

/** What `POST /api/feeds` answers to a feed in French. */
export const exampleProblem: Problem = {
  type: 'about:blank',
  title: 'Bad Request',
  status: 400,
  detail: 'The feed is not valid.',
  errors: [{ pointer: '/locale', detail: 'Must be en or de.' }],
}

function renderDocs(deps: PageDeps): string {
  const document = openApiDocument(deps.publicUrl)
  const { schemas = {} }: { readonly schemas?: Schemas } = document.components
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      documented(deps, { method: method.toUpperCase(), path, operation, schemas }),
    ),
  )
  const [lead] = document.info.description.split(/(?<=\.) /)
  const errors = new Map(
    operations.flatMap((it) => it.errors.map((error) => [error.status, error])),
  )
  const limit = operations
    .flatMap(({ parameters }) => parameters)
    .find(({ name }) => name === 'limit')
  return renderPage(deps, {
    template: 'docs',
    locale: 'en',
    styles: ['docs-page.css'],
    modules: ['docs-page.js'],
    inLanguage: null,
    title: `${document.info.title}: API`,
    document,
    lead,
    first: firstRequest(deps),
    limit,
    problem: json(exampleProblem),
    errors: [...errors.values()].toSorted((one, other) => one.status - other.status),
    groups: [...Map.groupBy(operations, ({ tag }) => tag)],
    options: [...Map.groupBy(listOptions(), ({ name }) => groupOf(name))],
    schemas: Object.entries(schemas).map(([name, schema]) => ({
      name,
      meaning: schema.description,
      type: typeOf(schema),
      fields: fieldsOf(schema),
      words: wordsOf(fieldsOf(schema)),
    })),
  })
}

function groupOf(option: string): string {
  return option.includes('.') ? option.slice(0, option.indexOf('.')) : ''
}

interface Documented {
  readonly method: string
  readonly path: string
  readonly operation: Operation
  readonly schemas: Schemas
}

function documented(deps: FirstRequestDeps, { method, path, operation, schemas }: Documented) {
  const { operationId, tags, summary, description = '', responses } = operation
  const [needed = '', role] = /\s*Needs the role (\w+)\.$/.exec(description) ?? []
  const parameters: readonly Parameter[] = operation.parameters ?? []
  const request: Body = operation.requestBody ?? {}
  const answers = Object.entries(responses).map(([status, answer]: [string, Body]) => ({
    status: Number(status),
    meaning: answer.description ?? '',
    forms: formsOf(answer, schemas),
  }))
  const bodies = formsOf(request, schemas)
  const fields = parameters.map(parameterOf)
  return {
    id: operationId,
    tag: tags[0] ?? '',
    method,
    path,
    summary,
    meaning: description.slice(0, description.length - needed.length),
    role,
    parameters: fields,
    words: wordsOf([...fields, ...bodies.flatMap(({ parts }) => parts.flatMap((it) => it.fields))]),
    bodies,
    answers: answers.filter(({ status }) => status < 400),
    errors: answers.filter(({ status }) => status >= 400),
    requests: (bodies.length > 0 ? bodies : [undefined]).map((form) =>
      curlOf(deps, { method, path, parameters, form }),
    ),
  }
}

function parameterOf({
  name = '',
  in: place = '',
  required = false,
  description = '',
  schema = {},
}: Parameter): Field & { readonly place: string } {
  return { ...fieldOf(name, { ...schema, description }, required), place }
}

interface Form {
  /** Media types with this same form. */
  readonly types: readonly string[]
  readonly type: ReturnType<typeof typeOf>
  /** Schemas that it refers to, with their properties. */
  readonly parts: readonly { readonly name: string; readonly fields: readonly Field[] }[]
  readonly example: string
}

function formsOf({ content = {} }: Body, schemas: Schemas): readonly Form[] {
  const alike = Map.groupBy(Object.entries(content), ([, { schema }]) => JSON.stringify(schema))
  return [...alike.values()].map((forms) => {
    const [, { schema = {}, example }] = forms[0] ?? ['', {}]
    return {
      types: forms.map(([type]) => type),
      type: typeOf(schema),
      parts: namesWithin(schema)
        .map((name) => ({ name, fields: fieldsOf(schemas[name] ?? {}) }))
        .filter(({ fields }) => fields.length > 0),
      example: typeof example === 'string' ? example : json(example),
    }
  })
}

/** Returns the names by which a search finds them. */
function wordsOf(fields: readonly Field[]): string {
  return fields.flatMap(({ name, inner }) => [name, wordsOf(inner)]).join(' ')
}

function json(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value, null, 2)
}

interface Example {
  readonly method: string
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly form: Form | undefined
}

const lineMax = 100

/** Returns the request of the example, to paste into a shell; a table comes from a file. */
function curlOf(
  { publicUrl, tokenFile }: FirstRequestDeps,
  { method, path, parameters, form }: Example,
): { readonly curl: string; readonly type: string; readonly file: string } {
  const query = new URLSearchParams()
  let address = path
  for (const { name = '', in: place, example } of parameters) {
    if (example === undefined) continue
    if (place === 'query') query.set(name, example)
    else address = address.replace(`{${name}}`, encodeURIComponent(example))
  }
  if (query.size > 0) address += `?${query.toString()}`
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"${publicUrl}${address}"`,
    `-H "Authorization: Bearer ${tokenIn(tokenFile)}"`,
  ]
  const { types: [type = ''] = [], example = '' } = form ?? {}
  const isTable = type === 'text/csv'
  if (form) lines.push(`-H "Content-Type: ${type}"`)
  if (isTable) lines.push('-H "Accept: text/csv"', '--data-binary @people.csv')
  else if (form) lines.push(`-d '${compact(example).replaceAll("'", String.raw`'\''`)}'`)
  return { curl: lines.join(' \\\n  '), type, file: isTable ? example : '' }
}

/** Short JSON fits on one line. */
function compact(text: string): string {
  const line = text.replaceAll(/\n\s*/g, ' ')
  return line.length <= lineMax ? line : text
}
