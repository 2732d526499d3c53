import type { Connection } from '../domain/connection.ts'
import type { Examiner } from '../feeds/examination/examiner.ts'
import type { exportCalendar } from '../feeds/export-calendar.ts'
import type { FeedManager } from '../feeds/feed-manager.ts'

/** What the commands are given: the use cases, and where to write. */
export interface CommandContext {
  /** Runs the bridge until the process is told to end. */
  readonly serve: () => Promise<void>
  /** Opens the use cases, hands them to `work` and closes them again. */
  readonly withUseCases: (work: (useCases: UseCases) => Promise<void>) => Promise<void>
  /** Standard output. */
  readonly print: (text: string) => void
  /** Standard error. */
  readonly warn: (text: string) => void
}

export interface UseCases {
  readonly manager: FeedManager
  readonly examiner: Examiner
  readonly connections: ReadonlyMap<string, Connection>
  readonly exporting: Parameters<typeof exportCalendar>[0]
}
