/* The values that property tests try: the same in every run of the gate, others in every soak. */
import fc from 'fast-check'
import { inject } from 'vitest'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Of all property tests; repeats what a run has tried. */
    propertySeed: number
  }
}

fc.configureGlobal({
  seed: inject('propertySeed'),
  numRuns: inject('isThorough') ? 1000 : 50,
})
