import { z } from 'zod'

/** One thing that does not fit: where it stands, from the record on, and zod's sentence of what would be right. */
export type Unfit = Pick<z.core.$ZodIssue, 'path' | 'message'>

const none: readonly never[] = []

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
    if (whole.success) return { record: whole.data, unfit: none, inDoubt: none }
    const { fitting, unfit } = prune(schema, json, { issues: whole.error.issues, at: 0 })
    if (fitting === undefined) return { record: undefined, unfit, inDoubt: none }
    const { data: record, error } = schema.safeParse(fitting)
    if (error) return { record: undefined, unfit: error.issues, inDoubt: none }
    return { record, unfit, inDoubt: decisive.filter((name) => lacks(json, fitting, name)) }
  }
}

/** What is wrong with a value that stands so many steps within the record. */
interface Wrong {
  readonly issues: readonly z.core.$ZodIssue[]
  readonly at: number
}

/** JSON without what does not fit, undefined where it has to go as a whole, and all that was taken out. */
interface Pruned {
  readonly fitting: unknown
  readonly unfit: readonly Unfit[]
}

/** Each value is judged once, by the issues of the record as a whole: a record with thousands of them must not take long. */
function prune(schema: z.core.$ZodType, json: unknown, wrong: Wrong): Pruned {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return prune(schema.unwrap(), json, wrong)
  }
  const { issues, at } = wrong
  if (issues.some(({ path }) => path.length === at)) return { fitting: undefined, unfit: issues }
  if (schema instanceof z.ZodObject && isObject(json)) return pruneObject(schema.shape, json, wrong)
  if (schema instanceof z.ZodArray && Array.isArray(json)) {
    return pruneList(schema.element, json, wrong)
  }
  return { fitting: undefined, unfit: issues }
}

/** What must be there has to fit, else the object goes as a whole. */
function pruneObject(
  shape: z.core.$ZodShape,
  json: Readonly<Record<string, unknown>>,
  { issues, at }: Wrong,
): Pruned {
  const wrong = Map.groupBy(issues, ({ path }) => path[at])
  const needful = [...wrong].flatMap(([name, some]) =>
    isOptional(shape[String(name)]) ? [] : some,
  )
  if (needful.length > 0) return { fitting: undefined, unfit: needful }
  const fields = Object.entries(shape).map(([name, schema]) => ({
    name,
    ...pruneMember(schema, json[name], { issues: wrong.get(name) ?? none, at: at + 1 }),
  }))
  const fitting = Object.fromEntries(fields.map((field) => [field.name, field.fitting]))
  return { fitting, unfit: fields.flatMap(({ unfit }) => unfit) }
}

function pruneList(
  schema: z.core.$ZodType,
  json: readonly unknown[],
  { issues, at }: Wrong,
): Pruned {
  const wrong = Map.groupBy(issues, ({ path }) => path[at])
  const elements = json.map((element, index) =>
    pruneMember(schema, element, { issues: wrong.get(index) ?? none, at: at + 1 }),
  )
  const fitting = elements.map((element) => element.fitting).filter((it) => it !== undefined)
  return { fitting, unfit: elements.flatMap(({ unfit }) => unfit) }
}

function pruneMember(schema: z.core.$ZodType, json: unknown, wrong: Wrong): Pruned {
  return wrong.issues.length === 0 ? { fitting: json, unfit: none } : prune(schema, json, wrong)
}

/** Whether an object fits without it. */
function isOptional(schema: z.core.$ZodType | undefined): boolean {
  return schema !== undefined && z.core.safeParse(schema, undefined).success
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
