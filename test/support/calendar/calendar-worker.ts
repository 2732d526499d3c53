/** A process of its own, so that it can believe in another time zone: parses, renders and probes on request. */
import { holidaysIn } from '../../../src/calendar/holidays.ts'
import { goldenCalendar } from './golden-cases.ts'
import { parseWithIcalJs, parseWithNodeIcal, type ParsedEvent } from './parsers.ts'
import { probeZones } from './zone-probes.ts'

export type WorkerRequest =
  | { readonly ask: 'parse'; readonly text: string }
  | { readonly ask: 'render'; readonly golden: string }
  | { readonly ask: 'probe'; readonly years: readonly number[] }
  | { readonly ask: 'holidays'; readonly places: readonly string[] }

export interface WorkerAnswers {
  readonly parse: { readonly timezone: string; readonly parsed: readonly ParsedEvent[][] }
  readonly render: string
  readonly holidays: readonly (readonly [date: string, name: string])[]
  readonly probe: { readonly probes: number; readonly mismatches: readonly string[] }
}

process.on('message', (request: WorkerRequest) => {
  process.send?.(answer(request))
})

function answer(request: WorkerRequest): WorkerAnswers[WorkerRequest['ask']] {
  if (request.ask === 'render') return goldenCalendar(request.golden)
  if (request.ask === 'probe') return probeZones(request.years)
  if (request.ask === 'holidays') {
    return [...holidaysIn(request.places, '2026-01-01', '2027-12-31')]
  }
  return {
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    parsed: [parseWithIcalJs(request.text), parseWithNodeIcal(request.text)],
  }
}
