import { feedRequests } from '../copies/feed-collections.ts'
import type { Feed } from '../domain/feed.ts'
import type { Serviceability } from './serviceability.ts'
import { writeOnce, type WrittenOnceDeps } from './written-once.ts'

export type ExportDeps = WrittenOnceDeps

/** Hands `work` what an export needs; nothing of what it reads is kept. */
export type Exporting = <T>(work: (deps: ExportDeps) => Promise<T>) => Promise<T>

/** A calendar made once, and why leaves are missing from it, if they are. */
export interface ExportedCalendar {
  readonly text: string
  readonly leavesMissing: Serviceability['leavesMissing']
}

/** The calendar of a feed that is not kept. `unavailable` where the feed would be. */
export async function exportCalendar(deps: ExportDeps, draft: Feed): Promise<ExportedCalendar> {
  const source = deps.sources.get(draft.companyId)
  if (!source) throw new Error('A feed that was drafted has a company.')
  const { company } = source.connection
  const requests = feedRequests(draft, company).map((request) => ({ ...request, ofDraft: true }))
  const { text, serviceability } = await writeOnce(deps, source, draft, requests)
  return { text, leavesMissing: serviceability.leavesMissing }
}
