import type { ICalEventData } from 'ical-generator'

import { libraryEvent } from '../../../src/calendar/vevent.ts'
import type { RevisedEvent } from './revised-event.ts'

/** The whole event as ical-generator takes it. */
export function revisedLibraryEvent(event: RevisedEvent): ICalEventData {
  const changed = new Date(event.changedAt)
  const { sequence } = event
  return { ...libraryEvent(event), sequence, stamp: changed, lastModified: changed }
}
