import examples from './examples.json' with { type: 'json' }
import type { Parameter } from './openapi-schemas.ts'

/** What was asked of a bridge with the sample company, and what it answered; ids and tokens are invented. */
export interface Example {
  readonly parameters?: Readonly<Record<string, string>>
  readonly request?: unknown
  readonly response?: unknown
  /** The same as tables, where the operation takes and gives them. */
  readonly tables?: Tables | undefined
}

/** CSV. */
interface Tables {
  readonly request: string
  readonly response: string
}

/** The example of an operation; an empty one where there is none. */
export function exampleOf(operationId: string): Example {
  return new Map<string, Example>(Object.entries(examples)).get(operationId) ?? {}
}

/** The parameter with what it is in the example. */
export function withExample(parameter: Parameter, { parameters = {} }: Example): object {
  const example = parameters[parameter.name]
  return example === undefined ? parameter : { ...parameter, example }
}

/** A body with the example in each of its forms: in JSON, and as a table. */
export function withBodyExample(body: object, json: unknown, table: string | undefined): object {
  if (!('content' in body)) return body
  const content = Object.entries(Object(body.content)).map(([type, form]) => {
    const example = type === 'text/csv' ? table : json
    return [type, example === undefined ? form : { ...Object(form), example }]
  })
  return { ...body, content: Object.fromEntries(content) }
}
