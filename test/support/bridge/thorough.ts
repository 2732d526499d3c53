import { inject } from 'vitest'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Whether all is to be tried, however long it takes. */
    isThorough: boolean
  }
}

/** All of these where there is time, or those alone of which that holds. */
export function allOr<T>(all: readonly T[], isDecisive: (it: T) => boolean): readonly T[] {
  return inject('isThorough') ? all : all.filter(isDecisive)
}
