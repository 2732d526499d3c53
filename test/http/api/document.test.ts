/* The API's own description, for programs and for people. */

import { afterAll, beforeAll, expect, it } from 'vitest'

import { neededOnRoutes } from '../../../src/access/needed-roles.ts'
import { listOptions } from '../../../src/feeds/feed-options.ts'
import type { OpenApiDocument, Operation } from '../../../src/http/api/openapi.ts'
import { readsFrom, startBridge, type TestBridge } from '../../support/bridge/bridge.ts'
import { type PrefixProxy, startPrefixProxy } from '../../support/bridge/prefix-proxy.ts'

let proxy: PrefixProxy
let bridge: TestBridge
let document: OpenApiDocument

beforeAll(async () => {
  proxy = await startPrefixProxy('/feeds-for-all')
  const environment = {
    ...readsFrom('http://127.0.0.1:9'),
    PUBLIC_URL: proxy.url,
    PORT: String(proxy.portBehind),
  }
  bridge = await startBridge({ environment })
  document = (await (await fetch(`${proxy.url}/openapi.json`)).json()) as OpenApiDocument
})

afterAll(async () => {
  proxy.close()
  await bridge.close()
})

function operations(): readonly (readonly [string, string, Operation])[] {
  return Object.entries(document.paths).flatMap(([address, methods]) =>
    Object.entries(methods).map(([method, operation]) => [method, address, operation] as const),
  )
}

it('the document lists exactly the routes of the API', () => {
  const routes = Object.keys(neededOnRoutes).filter((route) => route.includes(' /api/'))
  expect(
    operations()
      .map(([method, address]) => `${method.toUpperCase()} ${address}`)
      .toSorted(),
  ).toEqual(routes.toSorted())
})

it('the document is OpenAPI 3.1 with the public address, and every reference resolves', () => {
  expect(document.openapi).toMatch(/^3\.1\./)
  expect(document.servers).toEqual([{ url: proxy.url }])
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)]
  expect(references.length).toBeGreaterThan(20)
  for (const [, pointer = ''] of references) {
    const target = pointer.split('/').reduce<unknown>((at, step) => Object(at)[step], document)
    expect(target).toBeTypeOf('object')
  }
  const ids = operations().map(([, , { operationId }]) => operationId)
  expect(new Set(ids).size).toBe(ids.length)
})

it('every path parameter and every answer is described', () => {
  for (const [, address, { parameters = [], responses }] of operations()) {
    const inPath = parameters.filter((one) => 'in' in one && one.in === 'path')
    const names = [...address.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    expect(inPath.map((one) => 'name' in one && one.name)).toEqual(names)
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['401', '403', '429', '503']))
  }
})

it('the schemas describe the allowed input', () => {
  const { schemas } = document.components as { schemas: Record<string, Record<string, unknown>> }
  expect(schemas['NewFeed']).toMatchObject({
    anyOf: [{ required: ['userIds'] }, { required: ['team'] }],
    additionalProperties: false,
  })
  const options = { $ref: '#/components/schemas/OptionsPatch' }
  expect(schemas['NewFeed']).toMatchObject({ properties: { options } })
  expect(schemas['FeedPatch']).toMatchObject({
    properties: { options: { anyOf: [options, { type: 'null' }] } },
  })
  expect(schemas['OptionsPatch']).toMatchObject({
    properties: {
      leaves: {
        anyOf: [
          {
            properties: {
              detail: { anyOf: [{ enum: ['absent', 'type', 'full'] }, { type: 'null' }] },
              show: {
                type: ['boolean', 'null'],
                description: expect.stringContaining('Default: '),
              },
            },
          },
          { type: 'null' },
        ],
      },
      reminderMinutes: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
    },
  })
  expect(schemas['FeedPatch']?.['required']).toBeUndefined()
  expect(schemas['Rotation']).toMatchObject({
    properties: { graceDays: { type: 'integer', minimum: 0, maximum: 365, default: 0 } },
  })
  expect(schemas['FeedOptions']).toMatchObject({
    properties: { leaves: { properties: { detail: { enum: ['absent', 'type', 'full'] } } } },
  })
})

it('the documentation page has every operation, parameter, schema, property and option', async () => {
  const response = await fetch(`${proxy.url}/docs`)
  const html = await response.text()
  expect(response.status).toBe(200)
  expect(response.headers.get('Content-Security-Policy')).not.toContain('unsafe')
  for (const [method, address, operation] of operations()) {
    const part = partOf(html, `<section id="${operation.operationId}"`)
    expect(part).toContain(`${method.toUpperCase()}</span> <code>${address}</code>`)
    for (const name of namesIn(operation.parameters)) expect(part).toContain(`<dt><code>${name}<`)
    for (const status of Object.keys(operation.responses)) expect(part).toContain(status)
  }
  for (const [name, schema] of Object.entries(Object(document.components).schemas)) {
    const part = partOf(html, `<div id="schema-${name}">`)
    for (const property of propertiesIn(schema)) expect(part).toContain(`<dt><code>${property}<`)
  }
  for (const { name, meaning } of listOptions()) {
    const part = partOf(html, `<div id="option-${name}">`)
    expect(part).toContain(meaning.replaceAll('"', '&quot;'))
  }
  const anchors = [...html.matchAll(/href="#([^"]+)"/g)].map(([, anchor]) => anchor)
  expect(anchors.length).toBeGreaterThan(100)
  for (const anchor of anchors) expect(html).toContain(`id="${anchor}"`)
  const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  expect(ids.length).toBe(new Set(ids).size)
  expect(html).toContain('/feeds-for-all/assets/')
})

/** From the start to the next section. */
function partOf(html: string, start: string): string {
  expect(html).toContain(start)
  return html.slice(html.indexOf(start)).split(/(?<!^)<section /)[0] ?? ''
}

function namesIn(parameters: readonly object[] = []): readonly string[] {
  return parameters.flatMap((one) => ('name' in one ? [String(one.name)] : []))
}

function propertiesIn(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const own = 'properties' in schema ? Object.keys(Object(schema.properties)) : []
  return [...own, ...Object.values(schema).flatMap(propertiesIn)]
}

it.each([
  ['/openapi.json', 'application/json; charset=utf-8'],
  ['/docs', 'text/html; charset=utf-8'],
])('%s stays the same and answers 304 to clients that have it', async (address, type) => {
  const first = await fetch(bridge.url + address)
  const text = await first.text()
  const tag = first.headers.get('etag') ?? ''
  expect([first.status, first.headers.get('content-type')]).toEqual([200, type])
  expect(first.headers.get('cache-control')).toBe('no-cache')
  expect(first.headers.get('content-security-policy')).toContain("default-src 'none'")
  const second = await fetch(bridge.url + address, { headers: { 'If-None-Match': tag } })
  expect([second.status, await second.text()]).toEqual([304, ''])
  const plain = await fetch(bridge.url + address, { headers: { 'Accept-Encoding': 'identity' } })
  expect([await plain.text(), plain.headers.get('etag')]).toEqual([text, tag])
})
