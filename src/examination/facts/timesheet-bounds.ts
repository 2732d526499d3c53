import type { TimesheetFilter } from '../../domain/read-api.ts'
import type { Inquiry } from './inquiry.ts'

const dayMs = 86_400_000
/** Any monthly period lies within so many days before or after today. */
const boundsDays = 45

/** The bounds within which timesheets are examined. */
export function boundsFor({ now }: Inquiry): Required<Pick<TimesheetFilter, 'from' | 'to'>> {
  const today = Math.floor(now / dayMs) * dayMs
  return { from: today - boundsDays * dayMs, to: today + boundsDays * dayMs }
}

/** The bounds as the query that asks for them. */
export function boundsQuery(inquiry: Inquiry): Readonly<Record<string, string>> {
  const { timesheets: names } = inquiry.connection.parameters
  const { from, to } = boundsFor(inquiry)
  return {
    ...(names.from === null ? {} : { [names.from]: new Date(from).toISOString() }),
    ...(names.to === null ? {} : { [names.to]: new Date(to).toISOString() }),
  }
}
