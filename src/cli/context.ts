import type { ApiTokens } from '../access/api-tokens.ts'
import type { Mailing } from '../access/mail/mailing.ts'
import type { AuditStore } from '../domain/access/audit-entry.ts'
import type { Connection } from '../domain/connection.ts'
import type { AppError } from '../domain/errors.ts'
import type { Locale } from '../domain/feed.ts'
import type { Examiner } from '../examination/examiner.ts'
import type { FeedAdministration } from '../feeds/feed-administration.ts'
import type { ErasureDeps } from '../people/erasure.ts'
import type { ConfirmingDeps } from '../people/identities.ts'
import type { PeopleDirectory } from '../people/people-directory.ts'
import type { Exporting } from '../publishing/written-once.ts'

/** Says how far a long run has come: "Checked 1280 of 10000". */
export type Progress = (done: string, count: number, total: number) => void

/** What the commands are given: the use cases, and where to write. */
export interface CommandContext {
  /** Runs the bridge until the process is told to end. */
  readonly serve: (json: boolean) => Promise<void>
  /** Opens the use cases, hands them to `work` and closes them again. */
  readonly withUseCases: (work: (useCases: UseCases) => Promise<void>) => Promise<void>
  readonly workforce: () => Promise<SandboxTools>
  readonly versions: Versions
  readonly backUp: (file: string, onPages: (count: number, total: number) => void) => Promise<void>
  /** From now on, a signal that ends the process aborts this for that reason; so does output that cannot be written, for its own. */
  readonly interruption: (reason: AppError) => AbortSignal
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

export type Versions = Readonly<Record<'version' | 'node' | 'sqlite' | 'timeZones', string>>

/** The use cases that have commands. */
export interface UseCases {
  readonly administration: FeedAdministration
  readonly examiner: Examiner
  readonly connections: ReadonlyMap<string, Connection>
  readonly exporting: Exporting
  readonly erasing: ErasureDeps
  readonly confirming: ConfirmingDeps
  readonly access: {
    readonly apiTokens: ApiTokens
    readonly audit: AuditStore
    /** null without a mail server. */
    readonly mailing: Mailing | null
  }
  readonly directory: PeopleDirectory
  /** What new addresses begin with if no server runs and PUBLIC_URL is not set. */
  readonly assumedUrl: string | undefined
}

/** The embedded Read API on its own database. */
export interface SandboxTools {
  /** Runs it until the process is told to end; `started` gets its base URL, and the file of the token that it created. */
  serve(
    settings: SandboxSettings,
    started: (url: string, tokenFile: string | undefined) => void,
  ): Promise<void>
  /** Replaces a company in its database; `invalid` with the faults of the file, called `name` in sentences. */
  importCompany(
    file: {
      readonly name: string
      readonly bytes: AsyncIterable<Uint8Array>
      readonly progress: Progress
    },
    settings: SandboxSettings,
  ): Promise<{
    readonly companyId: string
    readonly counts: RecordCounts
    /** False if the company already held exactly this. */
    readonly isChanged: boolean
  }>
  /** Undoes what was changed in a company, or makes the sample that of today. */
  resetCompany(
    settings: SandboxSettings,
  ): Promise<{ readonly companyId: string; readonly isSample: boolean }>
  /** A company file of the sample company, in parts that can be read once. */
  sampleCompany(options: {
    readonly users?: number | undefined
    readonly seed?: number | undefined
    readonly locale: Locale
  }): { readonly parts: Iterable<string>; counts(): RecordCounts }
}

export interface SandboxSettings {
  readonly port?: number
  readonly database?: string | undefined
  readonly company?: string | undefined
  /** Whether a company without people is accepted. */
  readonly empty?: boolean | undefined
}

/** Number of records by kind. */
export type RecordCounts = Readonly<Record<string, number>>
