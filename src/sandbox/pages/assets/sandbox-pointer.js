/* Places in a JSON value, by pointer (RFC 6901). */

export function valueAt(value, pointer) {
  return stepsOf(pointer).reduce((inner, step) => inner?.[step], value)
}

/** A copy with that value there; undefined takes the member away, and an object that it leaves empty. */
export function withValue(value, pointer, written) {
  const [step, ...others] = stepsOf(pointer)
  if (step === undefined) return written
  const isObject = typeof value === 'object' && value !== null
  const copy = Array.isArray(value) ? [...value] : { ...(isObject ? value : {}) }
  const inner = withValue(copy[step], pointerTo(others), written)
  const isEmptied = others.length > 0 && Object.keys(Object(inner)).length === 0
  if (inner !== undefined && !isEmptied) copy[step] = inner
  else delete copy[step]
  return copy
}

export function isWithin(pointer, outer) {
  return pointer === outer || pointer.startsWith(`${outer}/`)
}

function stepsOf(pointer) {
  const steps = pointer.split('/').slice(1)
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function pointerTo(steps) {
  return steps.map((it) => `/${it.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
