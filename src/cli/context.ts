import type { ApiTokens } from '../access/api-tokens.ts'
import type { AuditLog } from '../access/audit-log.ts'
import type { Mailing } from '../access/mailing.ts'
import type { Connection } from '../domain/connection.ts'
import type { AppError } from '../domain/errors.ts'
import type { Locale } from '../domain/feed.ts'
import type { Examiner } from '../examination/examiner.ts'
import type { FeedAdministration } from '../feeds/feed-administration.ts'
import type { ErasureDeps } from '../people/erasure.ts'
import type { PeopleDirectory } from '../people/people-directory.ts'
import type { ConfirmingDeps } from '../people/person-confirmation.ts'
import type { Exporting } from '../publishing/export-calendar.ts'
import type { Progress } from './progress.ts'

/** What the commands are given: the use cases, and where to write. */
export interface CommandContext {
  /** Runs the bridge until the process is told to end. */
  readonly serve: (json: boolean) => Promise<void>
  /** Opens the use cases, hands them to `work` and closes them again. */
  readonly withUseCases: (work: (useCases: UseCases) => Promise<void>) => Promise<void>
  readonly workforce: () => Promise<SandboxTools>
  readonly versions: Versions
  /** Backs the database up; `onPages` is told how far that has come. */
  readonly backUp: (file: string, onPages: (count: number, total: number) => void) => Promise<void>
  /**
   * From now on a process that is to end does not, but aborts this for that reason, so that nothing half done stays; standard
   * output that cannot be written aborts it for a reason of its own.
   */
  readonly interruption: (reason: AppError) => AbortSignal
  /** How far a long run has come, on standard error. */
  readonly progress: Progress
  /** Standard input. */
  readonly input: () => AsyncIterable<Uint8Array>
  /** Standard output, part by part, as fast as it is read. */
  readonly stream: (parts: Iterable<string>) => Promise<void>
  /** Standard output: lines for people and programs, or a file as it is. */
  readonly print: (text: string, as?: 'lines' | 'file') => void
  /** Standard error. */
  readonly warn: (text: string) => void
}

/** Of the program and what it stands on. */
export interface Versions {
  readonly version: string
  readonly node: string
  readonly sqlite: string
  readonly timeZones: string
}

/** Of all use cases those that commands are for. */
export interface UseCases {
  readonly administration: FeedAdministration
  readonly examiner: Examiner
  readonly connections: ReadonlyMap<string, Connection>
  readonly exporting: Exporting
  readonly erasing: ErasureDeps
  readonly confirming: ConfirmingDeps
  readonly access: {
    readonly apiTokens: ApiTokens
    readonly auditLog: AuditLog
    /** null where no mail server is set. */
    readonly mailing: Mailing | null
  }
  readonly directory: PeopleDirectory
  /** With what new addresses begin, where no server runs and none is set that would say it. */
  readonly assumedUrl: string | undefined
}

/** The Read API on a database of our own, by itself. */
export interface SandboxTools {
  /** Runs it until the process is told to end; `started` is told its base URL, and where the token that it made lies. */
  serve(
    settings: SandboxSettings,
    started: (url: string, tokenFile: string | undefined) => void,
  ): Promise<void>
  /** Replaces a company in its database; `invalid` with the faults of the file, of which the message says how many there are. */
  importCompany(file: ImportedFile, settings: ImportSettings): Promise<ImportReport>
  /** Takes back what was changed in a company, or makes the sample's that of today. */
  resetCompany(settings: ResetSettings): Promise<ResetReport>
  /** A company file of the sample company. */
  sampleCompany(options: {
    readonly users?: number
    readonly seed?: number
    readonly locale?: Locale
  }): SampleFile
}

/** A company file as it is read. */
export interface ImportedFile {
  /** What sentences call it. */
  readonly name: string
  readonly bytes: AsyncIterable<Uint8Array>
  readonly progress: Progress
}

export interface ResetSettings extends SandboxSettings {
  readonly company?: string
}

export interface ResetReport {
  readonly companyId: string
  /** Whether it is the sample's. */
  readonly isSample: boolean
}

export interface ImportSettings extends ResetSettings {
  /** Whether a company without people is meant. */
  readonly empty?: boolean
}

/** How many records there are of each kind. */
export type RecordCounts = Readonly<Record<string, number>>

/** What came of an import. */
export interface ImportReport {
  readonly companyId: string
  readonly counts: RecordCounts
  /** False where the company held just that before. */
  readonly isChanged: boolean
  /** Sentences about what was loaded, but is of no use. */
  readonly warnings: readonly string[]
}

/** A company file that is written as it is made. */
export interface SampleFile {
  /** Its text, part by part, once. */
  readonly parts: Iterable<string>
  /** Of what has been written. */
  counts(): RecordCounts
}

export interface SandboxSettings {
  readonly port?: number
  readonly database?: string
}
