import { z } from 'zod'

/** One thing that does not fit: where it stands, from the record on, and zod's sentence of what would be right. */
export type Unfit = Pick<z.core.$ZodIssue, 'path' | 'message'>

/** One record of an answer, as far as it can be read. */
export interface Reading<T> {
  /** What can be read of it; undefined where what it must have does not fit. */
  readonly record: T | undefined
  /** What counts as missing or, where there is no record, why there is none. */
  readonly unfit: readonly Unfit[]
  /** The decisive fields of which something counts as missing. */
  readonly inDoubt: readonly string[]
}

/** Reads a record whatever it is. */
export type ReadRecord<T> = (json: unknown) => Reading<T>

/**
 * A reader that takes an optional field that does not fit for missing, within objects, too, and leaves out of a list what
 * does not fit; fields that the schema does not name are not looked at. On the decisive ones it depends whether a record
 * is shown at all.
 */
export function forgiving<T>(
  schema: z.ZodType<T>,
  decisive: readonly (keyof T & string)[] = [],
): ReadRecord<T> {
  return (json) => {
    const whole = schema.safeParse(json)
    if (whole.success) return { record: whole.data, unfit: [], inDoubt: [] }
    const { fitting, unfit } = prune(schema, json)
    const { data: record, error } = schema.safeParse(fitting)
    if (error) return { record: undefined, unfit: error.issues, inDoubt: [] }
    return { record, unfit, inDoubt: decisive.filter((name) => lacks(json, fitting, name)) }
  }
}

/** JSON without what does not fit, as far as it can do without, and all that was taken out. */
interface Pruned {
  readonly fitting: unknown
  readonly unfit: readonly Unfit[]
}

function prune(schema: z.core.$ZodType, json: unknown): Pruned {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return prune(schema.unwrap(), json)
  }
  if (schema instanceof z.ZodObject && isObject(json)) return pruneObject(schema.shape, json)
  if (schema instanceof z.ZodArray && Array.isArray(json)) return pruneList(schema.element, json)
  return { fitting: json, unfit: [] }
}

function pruneObject(shape: z.core.$ZodShape, json: Readonly<Record<string, unknown>>): Pruned {
  const fields = Object.entries(shape).map(([name, schema]) => {
    const pruned = pruneMember(schema, json[name], name)
    // What must be there stays: the object as a whole does not fit without it.
    const isOptional = isFit(schema, undefined)
    return { name, ...(isOptional ? pruned : { fitting: json[name], unfit: [] }) }
  })
  const fitting = Object.fromEntries(fields.map((field) => [field.name, field.fitting]))
  return { fitting, unfit: fields.flatMap(({ unfit }) => unfit) }
}

function pruneList(schema: z.core.$ZodType, json: readonly unknown[]): Pruned {
  const elements = json.map((element, index) => pruneMember(schema, element, index))
  const fitting = elements.map((element) => element.fitting).filter((it) => it !== undefined)
  return { fitting, unfit: elements.flatMap(({ unfit }) => unfit) }
}

/** What fits of it; undefined where it has to go as a whole. */
function pruneMember(schema: z.core.$ZodType, json: unknown, key: string | number): Pruned {
  const { fitting, unfit } = prune(schema, json)
  const { success, error } = z.core.safeParse(schema, fitting)
  if (success) return { fitting, unfit: unfit.map((it) => within(key, it)) }
  return { fitting: undefined, unfit: error.issues.map((it) => within(key, it)) }
}

function within(key: string | number, { path, message }: Unfit): Unfit {
  return { path: [key, ...path], message }
}

function isFit(schema: z.core.$ZodType, json: unknown): boolean {
  return z.core.safeParse(schema, json).success
}

/** Whether the field, or something of a list that it is, was left out. */
function lacks(json: unknown, fitting: unknown, name: string): boolean {
  const [came, left] = [memberOf(json, name), memberOf(fitting, name)]
  if (Array.isArray(came) && Array.isArray(left)) return left.length < came.length
  return came !== undefined && came !== null && left === undefined
}

function memberOf(json: unknown, name: string): unknown {
  return isObject(json) ? json[name] : undefined
}

function isObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}
