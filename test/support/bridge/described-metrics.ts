import { Registry } from 'prom-client'

import { createInstruments } from '../../../src/process/instruments.ts'

export interface DescribedMetric {
  readonly name: string
  readonly help: string
  readonly labelNames: readonly string[]
  readonly type: 'counter' | 'gauge' | 'histogram'
}

/** Every metric of the program, as it is declared. */
export function describedMetrics(): readonly DescribedMetric[] {
  const instruments = createInstruments(new Registry(), async () => undefined)
  // The library's types leave out what its objects say of themselves.
  return (Object.values(instruments) as unknown[] as DescribedMetric[]).map(
    ({ name, help, labelNames, type }) => ({ name, help, labelNames, type }),
  )
}
