import { z } from 'zod'

import {
  createdTokenSchema,
  newTokenSchema,
  tokenPageSchema,
  tokenSchema,
} from '../../access/api-tokens.ts'
import { auditEntrySchema, auditPageSchema } from '../../access/audit-log.ts'
import { feedChangeSchema, feedChangesSchema } from '../../feeds/bulk/requested-changes.ts'
import {
  changedCompanySchema,
  companyPageSchema,
  companyPatchSchema,
  companySchema,
} from '../../feeds/company-defaults.ts'
import {
  explainedLinkSchema,
  explainedRecordSchema,
  explainedSourceSchema,
  explanationSchema,
} from '../../feeds/feed-explanation.ts'
import {
  feedPatchSchema,
  newFeedSchema,
  newLinkSchema,
  rotationSchema,
} from '../../feeds/feed-input.ts'
import {
  feedOptionsSchema,
  optionsPatchSchema,
  ownOptionsSchema,
} from '../../feeds/feed-options.ts'
import {
  changedFeedSchema,
  clientSchema,
  collectionSchema,
  calendarSchema,
  feedDetailsSchema,
  feedPageSchema,
  feedSchema,
  importedFeedSchema,
  importedFeedsSchema,
  linkSchema,
  rotatedLinkSchema,
} from '../../feeds/feed-view.ts'
import { listedPersonSchema, peoplePageSchema } from '../../feeds/people-listing.ts'
import { personDataSchema } from '../../feeds/person-data.ts'
import { isObject } from '../../json/read-json.ts'
import type { Problem } from '../../web/problem.ts'
import {
  erasureSchema,
  newErasureSchema,
  examinationSchema,
  findingSchema,
} from './administration.ts'

const problemSchema = z
  .strictObject({
    type: z.literal('about:blank'),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    errors: z.array(z.strictObject({ pointer: z.string(), detail: z.string() })).exactOptional(),
  } satisfies { readonly [K in keyof Problem]-?: z.ZodType<Problem[K]> })
  .describe('RFC 9457')

/** Request schemas, by their name in the document. The same schemas validate the requests. */
export const inputSchemas = {
  NewFeed: newFeedSchema,
  NewFeeds: z.array(newFeedSchema),
  FeedPatch: feedPatchSchema,
  NewLink: newLinkSchema,
  Rotation: rotationSchema,
  FeedChanges: feedChangesSchema,
  NewToken: newTokenSchema,
  NewErasure: newErasureSchema,
  CompanyPatch: companyPatchSchema,
  OptionsPatch: optionsPatchSchema,
}

/** Response schemas, by their name in the document. The types of the responses derive from them. */
export const outputSchemas = {
  Feed: feedSchema,
  CreatedFeed: changedFeedSchema,
  FeedChange: feedChangeSchema,
  CreatedFeeds: importedFeedsSchema,
  ImportedFeed: importedFeedSchema,
  FeedPage: feedPageSchema,
  FeedDetails: feedDetailsSchema,
  Calendar: calendarSchema,
  FeedOptions: feedOptionsSchema,
  OwnOptions: ownOptionsSchema,
  Explanation: explanationSchema,
  ExplainedRecord: explainedRecordSchema,
  ExplainedSource: explainedSourceSchema,
  ExplainedLink: explainedLinkSchema,
  Link: linkSchema,
  RotatedLink: rotatedLinkSchema,
  Client: clientSchema,
  Collection: collectionSchema,
  Company: companySchema,
  ChangedCompany: changedCompanySchema,
  CompanyPage: companyPageSchema,
  Examination: examinationSchema,
  Finding: findingSchema,
  AuditEntry: auditEntrySchema,
  AuditPage: auditPageSchema,
  Token: tokenSchema,
  CreatedToken: createdTokenSchema,
  TokenPage: tokenPageSchema,
  Erasure: erasureSchema,
  ListedPerson: listedPersonSchema,
  PeoplePage: peoplePageSchema,
  PersonData: personDataSchema,
  Problem: problemSchema,
}

export type SchemaName = keyof typeof inputSchemas | keyof typeof outputSchemas

/** Returns a reference to the schema in the document. */
export function ref(name: SchemaName): object {
  return { $ref: addressOf(name) }
}

/** Returns all of them as JSON Schema, as OpenAPI 3.1 requires. */
export function componentSchemas(): Readonly<Record<string, object>> {
  const made = { ...jsonSchemas(inputSchemas, 'input'), ...jsonSchemas(outputSchemas, 'output') }
  const openIn: Readonly<Record<string, readonly string[]>> = {
    NewFeed: ['options'],
    FeedPatch: ['options'],
    CompanyPatch: ['own', 'others'],
  }
  for (const [name, members] of Object.entries(openIn)) {
    for (const member of members) pointAtOptions(made[name], member)
  }
  return made
}

/** Options are validated after their patch is merged, so the schemas that validate requests leave them open. */
function pointAtOptions(schema: unknown, member: string): void {
  if (!isObject(schema)) return
  for (const inner of Object.values(schema)) {
    if (Array.isArray(inner)) for (const one of inner) pointAtOptions(one, member)
    else pointAtOptions(inner, member)
  }
  const { properties } = schema
  if (!isObject(properties) || !isObject(properties[member])) return
  const description = 'Anything left out, or null, takes its default'
  const members = { description, ...ref('OptionsPatch') }
  const isNullable = JSON.stringify(properties[member]).includes('"null"')
  Object.assign(properties, {
    [member]: isNullable ? { anyOf: [members, { type: 'null' }] } : members,
  })
}

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly [said: string]: unknown
}

/** Returns the parameters of a query, from the schema that validates it. */
export function queryParameters(query: z.ZodType): readonly Parameter[] {
  const { properties = {} } = z.toJSONSchema(query, { io: 'input' })
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...schema } = Object(property)
    return { name, in: 'query', description, schema }
  })
}

function addressOf(name: string): string {
  return `#/components/schemas/${name}`
}

/** Schemas refer to each other by their address in the document. */
function jsonSchemas(
  schemas: Readonly<Record<string, z.ZodType>>,
  io: 'input' | 'output',
): Readonly<Record<string, object>> {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id })
  const made = z.toJSONSchema(registry, { io, uri: addressOf })
  return Object.fromEntries(
    Object.entries(made.schemas).map(([name, schema]) => [name, plain(schema)]),
  )
}

/** Dialect and addresses are those of the document (OpenAPI 3.1 section 4.8.24.7). */
function plain({ $schema: _, $id: _id, ...schema }: z.core.JSONSchema.BaseSchema): object {
  return schema
}
