/** What the page reads of a JSON Schema of the document. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

/** A piece of a type in words, with the name of the schema that it refers to. */
export interface TypePart {
  readonly text: string
  readonly schema?: string
}

/** A property or parameter, as a row of a list. */
export interface Field {
  readonly name: string
  readonly isRequired: boolean
  readonly type: readonly TypePart[]
  readonly meaning: string
  /** Everything that it may be, if that is a closed list. */
  readonly values: readonly string[]
  /** Limits, default and example: `1 to 1000`. */
  readonly facts: readonly string[]
  /** Properties of an object, or of the entries of a list, that has no name of its own. */
  readonly inner: readonly Field[]
}

/** Returns the properties of the schema, required ones first. */
export function fieldsOf(schema: Schema): readonly Field[] {
  const { properties = {}, required = [] } = objectWithin(schema) ?? {}
  return Object.entries(properties)
    .map(([name, property]) => fieldOf(name, property, required.includes(name)))
    .toSorted((one, other) => Number(other.isRequired) - Number(one.isRequired))
}

export function fieldOf(name: string, schema: Schema, isRequired: boolean): Field {
  return {
    name,
    isRequired,
    type: typeOf(schema),
    meaning: branchesOf(schema).find(({ description }) => description)?.description ?? '',
    values: valuesOf(schema),
    facts: [...limitsOf(schema), ...saidOf(schema)],
    inner: fieldsOf(schema),
  }
}

/** Returns the type in words, each schema of the document by its name. */
export function typeOf(schema: Schema): readonly TypePart[] {
  const { $ref, items, format, const: only, type = 'any' } = schema
  const branches = schema.anyOf ?? schema.oneOf
  if ($ref !== undefined) return [{ text: nameOf($ref), schema: nameOf($ref) }]
  if (items) return [{ text: 'list of ' }, ...typeOf(items)]
  if (branches) {
    return branches.flatMap((it, index) => [
      ...(index > 0 ? [{ text: ' or ' }] : []),
      ...typeOf(it),
    ])
  }
  if (only !== undefined) return [{ text: JSON.stringify(only) }]
  return [{ text: format ?? [type].flat().join(' or ') }]
}

/** Returns the names of the schemas that it refers to. */
export function namesWithin(schema: Schema): readonly string[] {
  return typeOf(schema).flatMap((it) => it.schema ?? [])
}

function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}

function branchesOf(schema: Schema): readonly Schema[] {
  return [schema, ...(schema.anyOf ?? schema.oneOf ?? [])]
}

function objectWithin({ items, ...schema }: Schema): Schema | undefined {
  const entries = items ? objectWithin(items) : undefined
  return entries ?? branchesOf(schema).find(({ properties }) => properties)
}

function valuesOf(schema: Schema): readonly string[] {
  const values = branchesOf(schema).flatMap((it) => it.enum ?? it.items?.enum ?? [])
  return values.map((it) => (it === '' ? '""' : String(it)))
}

function limitsOf(schema: Schema): readonly string[] {
  return branchesOf(schema).flatMap((it) => [
    ...range(it.minimum, it.maximum, ''),
    ...range(it.minLength, it.maxLength, ' characters'),
    ...range(it.minItems, it.maxItems, ' entries'),
    ...(it.pattern !== undefined && it.format === undefined ? [`matches ${it.pattern}`] : []),
    ...(it.items ? limitsOf(it.items).map((limit) => `each ${limit}`) : []),
  ])
}

function saidOf({ default: otherwise, examples = [] }: Schema): readonly string[] {
  return [
    ...(otherwise === undefined ? [] : [`default ${JSON.stringify(otherwise)}`]),
    ...examples.map((it) => `for example ${JSON.stringify(it)}`),
  ]
}

/** The largest safe integer says no more than "integer". */
function range(least = -Infinity, most = Infinity, unit: string): readonly string[] {
  const [hasLeast, hasMost] = [least, most].map((it) => Math.abs(it) < Number.MAX_SAFE_INTEGER)
  if (hasLeast && hasMost) return [`${least} to ${most}${unit}`]
  if (hasMost) return [`at most ${most}${unit}`]
  return hasLeast && least > 0 ? [`at least ${least}${unit}`] : []
}
