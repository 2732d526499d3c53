import { AppError } from '../domain/errors.ts'

/** The body, unless it is nested deeper than anything that is asked for, which would end recursion elsewhere: `invalid` then. */
export function refuseDeep(body: unknown, depthMax: number): unknown {
  let level: unknown[] = [body]
  for (let depth = 0; depth < depthMax && level.length > 0; depth += 1) {
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    )
  }
  if (level.length === 0) return body
  throw tooDeep(depthMax)
}

/** `invalid` for a body that is nested deeper. */
export function tooDeep(depthMax: number): AppError {
  return new AppError('invalid', `The body is nested more than ${depthMax} deep.`)
}
