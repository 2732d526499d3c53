/* The Read API's own description: valid by others' judgement, whole, and true of the sandbox that runs. */
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import texts from '../../src/sandbox/openapi/texts.json' with { type: 'json' }
import { operations } from '../../src/sandbox/operations.ts'
import type { Sandbox } from '../../src/sandbox/start-sandbox.ts'
import { hashOfKey } from '../../src/settings/fields.ts'
import { startWhole } from './whole-sandbox.ts'

const base = '/api/public/v1'

interface Content {
  readonly schema: object
  readonly example?: object
  readonly examples?: { readonly sample: { readonly summary: string; readonly value: object } }
}

/** What there may be at a place of the document. */
interface Part {
  readonly $ref?: string
  readonly name?: string
  readonly in?: string
  readonly description?: string
  readonly 'x-implementation-choice'?: true
  readonly properties?: Readonly<Record<string, Part>>
  readonly schema?: object
  readonly example?: unknown
  readonly headers?: object
  readonly content?: Readonly<Record<string, Content>>
}

interface DocumentedOperation {
  readonly operationId: string
  readonly summary: string
  readonly 'x-specification-section': string
  readonly parameters: readonly Part[]
  readonly responses: Readonly<Record<number, Part>>
}

interface Document {
  readonly servers: readonly object[]
  readonly security: readonly object[]
  readonly paths: Readonly<Record<string, { readonly get: DocumentedOperation }>>
  readonly components: Readonly<Record<string, Readonly<Record<string, Part>>>>
}

let sandbox: Sandbox
let document: Document

beforeAll(async () => {
  sandbox = await startWhole()
  document = await documentOf(sandbox)
})

afterAll(() => sandbox.close())

async function documentOf({ url }: Sandbox): Promise<Document> {
  return (await (await fetch(`${url}/openapi.json`)).json()) as Document
}

/** Whatever the pointer names. */
function at(pointer: string): Part {
  const steps = pointer.replace(/^#?\//, '').split('/')
  const root: Part = Object(document)
  return steps.reduce((part, step): Part => Object(part)[step], root)
}

function resolved(part: Part = {}): Part {
  return part.$ref === undefined ? part : at(part.$ref)
}

function operationOf(id: string): DocumentedOperation {
  const all = Object.values(document.paths).map(({ get }) => get)
  const found = all.find(({ operationId }) => operationId === id)
  if (!found) throw new Error(`The document has no ${id}.`)
  return found
}

function parametersOf(id: string): readonly Part[] {
  return operationOf(id).parameters.map(resolved)
}

/** What the answer of that status holds. */
function contentOf(id: string, status: number): Content {
  const [content] = Object.values(resolved(operationOf(id).responses[status]).content ?? {})
  if (!content) throw new Error(`${id} has no content for ${status}.`)
  return content
}

/** The faults of an answer, by the schema that the document has for it. */
function faultsOf(id: string, status: number, body: unknown): unknown {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
  ajv.addSchema(document, 'document')
  const schema = JSON.stringify(contentOf(id, status).schema)
  const check = ajv.compile(JSON.parse(schema.replaceAll('"#/', '"document#/')))
  return check(body) ? [] : check.errors
}

describe('OpenAPI document', () => {
  it('the document is valid OpenAPI 3.1', async () => {
    const validator = new Validator({ strict: false })
    expect(await validator.validate({ ...document })).toEqual({ valid: true })
    expect(validator.version).toBe('3.1')
  })

  it('every operation of the specification is listed once, under its address', () => {
    expect(document.servers).toEqual([{ url: sandbox.url }])
    expect(Object.keys(document.paths)).toEqual(operations.map(({ path }) => `${base}${path}`))
    const named = Object.values(document.paths).map(({ get }) => get)
    expect(
      named.map((one) => [one.operationId, one.summary, one['x-specification-section']]),
    ).toEqual(operations.map(({ id, summary }, index) => [id, summary, `4.${index + 1}`]))
  })

  it('every component is used, and every reference exists', () => {
    const text = JSON.stringify(document)
    const used = new Set([...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, target = '']) => target))
    for (const target of used) expect(at(target)).toBeTypeOf('object')
    const { securitySchemes: _, ...components } = document.components
    const there = Object.entries(components).flatMap(([kind, some]) =>
      Object.keys(some).map((name) => `#/components/${kind}/${name}`),
    )
    expect(there.toSorted()).toEqual([...used].toSorted())
  })

  it.each(Object.entries(texts.fields))('every field of %s has a description', (name, notes) => {
    const { properties = {} } = at(`/components/schemas/${name}`)
    expect(Object.keys(properties).toSorted()).toEqual(Object.keys(notes).toSorted())
    for (const { description } of Object.values(properties)) {
      expect(description).toMatch(/\.$/)
    }
  })

  it('choices beyond the specification are marked, in words and for programs', () => {
    const marked = marksIn({ ...document, info: {} })
    expect(marked.length).toBeGreaterThan(50)
    const { parameters, headers, responses, securitySchemes } = document.components
    const parts = [parameters, headers, responses, securitySchemes].flatMap((some) =>
      Object.values(some ?? {}),
    )
    const asked = operations.flatMap(({ id }) => parametersOf(id))
    for (const part of [...parts, ...asked.filter((one) => one.in !== 'path')]) {
      expect(part['x-implementation-choice']).toBe(true)
    }
  })

  it('each operation has exactly the parameters it accepts', () => {
    const named = (id: string): string =>
      parametersOf(id)
        .filter((one) => one.in !== 'header')
        .map(({ name }) => name)
        .join(' ')
    expect(named('listTimesheets')).toBe('userId status startDate endDate limit cursor')
    expect(named('getInvoice')).toBe('id')
    expect(named('getUser')).toBe('id')
    expect(named('listLeaves')).toBe('userId status limit cursor')
    expect(named('listTasksForProject')).toBe('id limit cursor')
    expect(named('listSchedules')).toBe('type isActive limit cursor')
    const limit = parametersOf('listLeaves').find(({ name }) => name === 'limit')
    expect(limit?.schema).toEqual({ type: 'integer', minimum: 1, maximum: 1000 })
  })

  it('a key is required where the sandbox requires one', async () => {
    expect(document.security).toEqual([{}, { bearerKey: [] }])
    const guarded = await startWhole(new Map([[hashOfKey('first'), 'main']]))
    const asked = await documentOf(guarded)
    await guarded.close()
    expect(asked.security).toEqual([{ bearerKey: [] }])
  })

  it('is the same for the same day, and revalidated with 304', async () => {
    const address = `${sandbox.url}/openapi.json`
    const first = await fetch(address)
    expect(first.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const again = await startWhole()
    expect({ ...(await documentOf(again)), servers: [] }).toEqual({ ...document, servers: [] })
    await again.close()
    const known = { 'If-None-Match': first.headers.get('etag') ?? '' }
    expect((await fetch(address, { headers: known })).status).toBe(304)
    const posted = await fetch(address, { method: 'POST' })
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })
})

/** Every sentence of a choice within; fails where a part is marked in one way alone. */
function marksIn(part: unknown): readonly string[] {
  if (typeof part !== 'object' || part === null) return []
  const { description, 'x-implementation-choice': mark }: Part = part
  const says = /This implementation’s choice: .+\.$/.test(String(description))
  expect([description, says]).toEqual([description, mark === true])
  return [...(says ? [String(description)] : []), ...Object.values(part).flatMap(marksIn)]
}

describe.each(operations.map(({ id }) => id))('%s', (id) => {
  /** The request of the example, and what it answers. */
  const exampleOf = (): {
    readonly path: string
    readonly query: string
    readonly value: object
  } => {
    const { summary = '', value = {} } = contentOf(id, 200).examples?.sample ?? {}
    const { pathname, search } = new URL(summary.replace(/^GET /, ''), sandbox.url)
    return { path: sandbox.url + pathname, query: search, value }
  }

  it('the request of the example answers as the example', async () => {
    const { path, query, value } = exampleOf()
    const response = await fetch(path + query)
    const body: unknown = await response.json()
    expect([response.status, body]).toEqual([200, value])
    expect(faultsOf(id, 200, body)).toEqual([])
  })

  it('the complete list fits the schema', async () => {
    const response = await fetch(exampleOf().path)
    expect(faultsOf(id, response.status, await response.json())).toEqual([])
  })

  it('the example of each parameter is accepted', async () => {
    const asked = parametersOf(id).filter((one) => one.in === 'query' && one.example !== undefined)
    for (const { name, example } of asked) {
      const response = await fetch(`${exampleOf().path}?${name}=${String(example)}`)
      expect([name, response.status]).toEqual([name, 200])
    }
  })
})

it.each([
  ['listLeaves', `${base}/leaves?user=usr_ada`, 'GET', 400],
  ['getUser', `${base}/users/usr_nobody`, 'GET', 404],
  ['getUser', `${base}/users/usr_ada`, 'POST', 405],
])('%s: %s by %s answers as the example of a %i', async (id, path, method, status) => {
  const response = await fetch(sandbox.url + path, { method })
  const body: unknown = await response.json()
  expect([response.status, body]).toEqual([status, contentOf(id, status).example])
  expect(faultsOf(id, status, body)).toEqual([])
  const { headers = {} } = resolved(operationOf(id).responses[status])
  for (const name of Object.keys(headers)) expect(response.headers.get(name)).not.toBeNull()
})

it('a request without a key gets the 401 of the example, and may read the document', async () => {
  const guarded = await startWhole(new Map([[hashOfKey('first'), 'main']]))
  const response = await fetch(`${guarded.url}${base}/leaves`)
  expect(await response.json()).toEqual(contentOf('listLeaves', 401).example)
  expect((await fetch(`${guarded.url}/openapi.json`)).status).toBe(200)
  await guarded.close()
})
