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
export function recordsWithin(name: string, schemas: Schemas): readonly DocumentedRecord[] {
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
