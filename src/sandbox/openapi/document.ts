import type { RequestHandler } from 'express'

import type { PlainDate } from '../../domain/plain-date.ts'
import { serveLasting } from '../../web/lasting-answer.ts'
import { companyFileSchema } from '../../wire/company-file.ts'
import { type AnyOperation, basePath, operations } from '../operations.ts'
import { serveForBaseUrl } from '../pages/page-renderer.ts'
import { described, conventions } from './conventions.ts'
import {
  type Parameter,
  parametersOf,
  componentHeaders,
  componentResponses,
  headerRefs,
  type ProblemStatus,
  responseRefs,
} from './responses.ts'
import { addressOf, type SampleAnswer, sampleAnswers } from './sample-answers.ts'
import { componentSchemas, schemaAddress } from './schemas.ts'
import texts from './texts.json' with { type: 'json' }

export const title = 'Workforce Management Read API'

export interface DocumentDeps {
  readonly baseUrl: string
  readonly asksForKeys: boolean
  /** The date of the sample company that the examples use. */
  readonly today: PlainDate
}

/** Generates the OpenAPI 3.1 document from the codecs and the table of operations. */
function openApiDocument({ baseUrl, asksForKeys, today }: DocumentDeps): object {
  const samples = sampleAnswers(today)
  return {
    openapi: '3.1.1',
    info: { title, version: '1', description: descriptionOf(asksForKeys) },
    servers: [{ url: baseUrl || '/' }],
    security: asksForKeys ? [{ bearerKey: [] }] : [{}, { bearerKey: [] }],
    tags: operations.map(({ answers, description }) => ({
      name: `${answers.name}s`,
      description,
    })),
    paths: Object.fromEntries(
      operations.map((operation, index) => [
        `${basePath}${operation.path}`,
        {
          get: {
            'x-specification-section': `4.${index + 1}`,
            ...operationObject(operation, samples[operation.id]),
          },
        },
      ]),
    ),
    components: {
      schemas: componentSchemas(),
      headers: componentHeaders(),
      parameters: { IfNoneMatch: ifNoneMatch },
      responses: componentResponses(),
      securitySchemes: { bearerKey },
    },
  }
}

const bearerKey = {
  type: 'http',
  scheme: 'bearer',
  ...described({
    meaning: 'The key of a company.',
    choice: 'authentication; without keys the sandbox answers the machine that it runs on',
  }),
}

const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  ...described({ meaning: 'The ETag of an answer that the client has.', choice: 'caching' }),
  schema: { type: 'string' },
}

function descriptionOf(asksForKeys: boolean): string {
  const sections = conventions(asksForKeys).map(
    ({ title: heading, paragraphs }) => `## ${heading}\n\n${paragraphs.join('\n\n')}`,
  )
  return [texts.introduction, texts.choiceNote, ...sections].join('\n\n')
}

function operationObject(operation: AnyOperation, answer: SampleAnswer): object {
  const { id, summary } = operation
  const parameters = parametersOf(operation, answer).map(parameterObject)
  return {
    operationId: id,
    tags: [`${operation.answers.name}s`],
    summary,
    ...described({
      meaning: operation.description,
      choice: 'list' in operation ? `records come ${operation.order}` : undefined,
    }),
    parameters: [...parameters, { $ref: '#/components/parameters/IfNoneMatch' }],
    responses: { 200: answerObject(operation, answer), ...responseRefs(problemsOf(operation)) },
  }
}

function parameterObject({ name, in: place, schema, example, ...said }: Parameter): object {
  return {
    name,
    in: place,
    ...(place === 'path' ? { required: true } : {}),
    ...described(said),
    schema,
    ...(example === undefined ? {} : { example }),
  }
}

/** Returns the possible problem statuses. Only paths with an id can yield 404: a list without matches is empty. */
export function problemsOf(operation: AnyOperation): readonly ProblemStatus[] {
  const missing = operation.path.includes('{id}') ? ['404' as const] : []
  return ['400', '401', ...missing, '405', '429', '500', '503']
}

function answerObject(operation: AnyOperation, { values, body }: SampleAnswer): object {
  const isList = 'list' in operation
  const record = { $ref: schemaAddress(operation.answers.name) }
  const data = isList ? { type: 'array', items: record } : record
  const summary = `GET ${addressOf(operation, values)}`
  return {
    ...described({ meaning: isList ? 'The list.' : 'The record.', choice: 'the status 200' }),
    headers: headerRefs(isList ? ['ETag', 'Link'] : ['ETag']),
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: { data },
          required: ['data'],
          additionalProperties: false,
        },
        examples: { sample: { summary, value: body } },
      },
    },
  }
}

/** Serves `GET /openapi.json`, the Read API for programs. */
export function serveOpenApi(deps: Omit<DocumentDeps, 'baseUrl'>): RequestHandler {
  return serveForBaseUrl((baseUrl) => ({
    type: 'application/json; charset=utf-8',
    make: () => JSON.stringify(openApiDocument({ ...deps, baseUrl })),
  }))
}

/** Serves `GET /schema.json`, the JSON Schema of company files for editors and other programs. */
export function serveFileSchema(): RequestHandler {
  return serveLasting({
    type: 'application/schema+json; charset=utf-8',
    make: () => JSON.stringify(companyFileSchema()),
  })
}
