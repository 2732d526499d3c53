/* The examples of the API's description are what a bridge with the sample company answers; `npm run test:update` writes them again. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'

import {
  type Example,
  type OpenApiDocument,
  openApiDocument,
} from '../../../src/http/api/openapi.ts'
import { isObject } from '../../../src/json/read-json.ts'
import { adminToken, startBridge, type TestBridge } from '../../support/bridge/bridge.ts'
import { createFakeClock } from '../../support/bridge/fake-clock.ts'

const file = path.join(import.meta.dirname, '../../../src/http/api/examples.json')
const isUpdate = process.env['UPDATE_GOLDEN'] === '1'

const feedId = `feed_${'0123456789abcdef'.repeat(2)}`
const token = 'cfb_This-token-is-invented-and-opens-no-calendar'

let bridge: TestBridge
let asked: Readonly<Record<string, Example>>

beforeAll(async () => {
  const environment = { PUBLIC_URL: 'https://calendar.example.com' }
  bridge = await startBridge({ clock: createFakeClock(), environment })
  asked = await askAll()
})

afterAll(() => bridge.close())

/** One after the other, as somebody would who tries the API. */
async function askAll(): Promise<Readonly<Record<string, Example>>> {
  const said: Record<string, Example> = {}
  const real: Record<string, string> = {}
  const ask = async (
    operation: string,
    [method, address]: readonly [string, string],
    { parameters, request }: Example = {},
  ): Promise<void> => {
    const filled = (text: string): string => text.replace(feedId, real['id'] ?? '')
    const body: unknown = request && JSON.parse(filled(JSON.stringify(request)))
    const response = await bridge.api(method, filled(address), body)
    expect([operation, response.ok]).toEqual([operation, true])
    const text = await response.text()
    const [id] = /feed_[0-9a-f]{32}/.exec(text) ?? []
    if (id !== undefined) real['id'] ??= id
    const answer: unknown = text === '' ? undefined : JSON.parse(invented(text))
    said[operation] = { ...(parameters && { parameters }), request, response: answer }
  }
  const at = `/api/feeds/${feedId}`
  const parameters = { id: feedId }
  await ask('createFeeds', ['POST', '/api/feeds'], {
    request: { userIds: ['usr_bob'], options: { leaves: { detail: 'full' } } },
  })
  said['createFeeds'] = { ...said['createFeeds'], tables: await askByTable() }
  await ask('updateFeed', ['PATCH', at], {
    parameters,
    request: {
      timezone: 'Europe/Lisbon',
      options: { leaves: { detail: null }, reminderMinutes: 15 },
    },
  })
  await ask('createLink', ['POST', `${at}/links`], { parameters, request: { label: 'phone' } })
  const rotation = { label: 'phone', graceDays: 7 }
  await ask('rotateLink', ['POST', `${at}/rotations`], { parameters, request: rotation })
  await ask('listFeeds', ['GET', '/api/feeds?userId=usr_bob'], {
    parameters: { userId: 'usr_bob' },
  })
  await ask('showFeed', ['GET', at], { parameters })
  await ask('previewFeed', ['GET', `${at}/preview?as=others`], {
    parameters: { ...parameters, as: 'others' },
  })
  await ask('explainFeed', ['GET', `${at}/explanation?date=2026-01-05`], {
    parameters: { ...parameters, date: '2026-01-05' },
  })
  const label = { parameters: { ...parameters, label: 'phone' } }
  await ask('endLink', ['DELETE', `${at}/links/phone`], label)
  const many = { ids: [feedId], change: { rotate: { graceDays: 7 } } }
  await ask('changeFeeds', ['POST', '/api/feed-changes'], { request: many })
  await ask('revokeFeed', ['DELETE', at], { parameters })
  await ask('showExamination', ['GET', '/api/companies/main/examination'], {
    parameters: { id: 'main' },
  })
  await ask('listPeople', ['GET', '/api/companies/main/people?search=usr_bob'], {
    parameters: { id: 'main', search: 'usr_bob' },
  })
  await ask('exportPerson', ['GET', '/api/companies/main/people/usr_mia/data'], {
    parameters: { id: 'main', userId: 'usr_mia' },
  })
  const main = { parameters: { id: 'main' } }
  await ask('updateCompany', ['PATCH', '/api/companies/main'], {
    ...main,
    request: {
      defaults: { locale: 'de', name: '{firstName}: Dienste', own: { reminderMinutes: 15 } },
    },
  })
  await ask('showCompany', ['GET', '/api/companies/main'], main)
  await ask('listCompanies', ['GET', '/api/companies'])
  const named = { parameters: { name: 'helpdesk' } }
  const helpdesk = { name: 'helpdesk', role: 'support', companyId: 'main' }
  await ask('createToken', ['POST', '/api/tokens'], { request: helpdesk })
  await ask('listTokens', ['GET', '/api/tokens'])
  await ask('revokeToken', ['DELETE', '/api/tokens/helpdesk'], named)
  await ask('erasePerson', ['POST', '/api/erasures'], { request: { userId: 'usr_bob' } })
  await ask('listAudit', ['GET', '/api/audit?userId=usr_ada'], {
    parameters: { userId: 'usr_ada' },
  })
  return JSON.parse(JSON.stringify(said))
}

/** The same operation, as a spreadsheet would use it. */
async function askByTable(): Promise<Example['tables']> {
  const request = 'userId,name,timezone,locale\nusr_ada,Ada at work,Europe/Lisbon,de\n'
  const headers = { Authorization: `Bearer ${adminToken}`, Accept: 'text/csv' }
  const response = await fetch(new URL('/api/feeds', bridge.listensAt), {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'text/csv' },
    body: request,
  })
  expect([response.status, response.headers.get('Content-Type')]).toEqual([
    201,
    'text/csv; charset=utf-8',
  ])
  return { request, response: invented(await response.text()) }
}

/** Nothing that is another one each time, and nothing that could be taken for a secret. */
function invented(text: string): string {
  return text
    .replaceAll(/feed_[0-9a-f]{32}/g, feedId)
    .replaceAll(/cfb_[\w-]{43}(?![\w-])/g, token)
    .replaceAll(/cft_[\w-]{43}(?![\w-])/g, 'cft_This-token-is-invented-and-opens-nothing-at-all')
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:41234')
}

it('the examples equal the real answers', () => {
  if (isUpdate) writeFileSync(file, `${JSON.stringify(asked, null, 2)}\n`)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(asked)
})

it('the token in the examples opens nothing and does not have the form of a real token', () => {
  expect(token).not.toMatch(/^cfb_[\w-]{43}$/)
})

it('every operation has examples of its input and answer that fit their schemas', () => {
  const document = openApiDocument('https://calendar.example.com')
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  for (const { operationId, parameters = [], requestBody, responses } of operations) {
    const answers = Object.entries(responses).filter(([status]) => status.startsWith('2'))
    const forms = [requestBody, ...answers.map(([, answer]) => answer)].flatMap(formsOf)
    const named = parameters.filter((one) => 'example' in one)
    expect([operationId, forms.length + named.length > 0]).toEqual([operationId, true])
    for (const { schema, example } of forms) {
      const result = readerOf(document, schema).safeParse(example)
      expect([operationId, result.error?.issues]).toEqual([operationId, undefined])
    }
  }
})

it('the example tables have the columns that are read and those that are answered', () => {
  const { request, response } = asked['createFeeds']?.tables ?? { request: '', response: '' }
  expect(request.split('\n')).toHaveLength(3)
  expect(response.split('\r\n').slice(1)).toEqual([
    expect.stringMatching(/^usr_ada,.*,created$/),
    '',
  ])
  const shown = JSON.stringify(openApiDocument('').paths)
  for (const table of [request, response]) {
    expect([table, shown.includes(JSON.stringify(table))]).toEqual([table, true])
  }
})

it('the schema rejects wrong input', () => {
  const reader = readerOf(openApiDocument(''), { $ref: '#/components/schemas/FeedPatch' })
  expect(reader.safeParse({ options: { leaves: { detail: null } } }).success).toBe(true)
  expect(reader.safeParse({ options: { leaves: null } }).success).toBe(true)
  expect(reader.safeParse({ options: { leaves: { detail: 'all' } } }).success).toBe(false)
  expect(reader.safeParse({ nam: 'x' }).success).toBe(false)
})

function formsOf(body: object | undefined): readonly { schema: object; example: unknown }[] {
  const { content = {} } = Object(body)
  return Object.values(Object(content)).flatMap((form) =>
    isObject(form) ? [{ schema: Object(form['schema']), example: form['example'] }] : [],
  )
}

/** What the document's own schema takes. */
function readerOf({ components }: OpenApiDocument, schema: object): z.ZodType {
  const defs: unknown = Object(components).schemas
  const text = JSON.stringify({ ...schema, $defs: defs })
  return z.fromJSONSchema(JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')))
}
