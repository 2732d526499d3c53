import type { CalendarEvent, Revision } from '../../../src/domain/calendar-event.ts'

export interface RevisedEvent extends CalendarEvent, Revision {}
