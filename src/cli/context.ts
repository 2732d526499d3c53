import type { ApiTokens } from '../access/api-tokens.ts'
import type { Mailing } from '../access/mail/mailing.ts'
import type { AuditStore } from '../domain/access/audit-entry.ts'
import type { Connection } from '../domain/connection.ts'
import type { AppError } from '../domain/errors.ts'
import type { Locale } from '../domain/feed.ts'
import type { MigrationPlan } from '../domain/migration-plan.ts'
import type { UndoneByRestore } from '../domain/undone-by-restore.ts'
import type { Examiner } from '../examination/examiner.ts'
import type { FeedAdministration } from '../feeds/feed-administration.ts'
import type { ExplainingDeps } from '../feeds/feed-explanation.ts'
import type { PeopleListingDeps } from '../feeds/people-listing.ts'
import type { PersonDataDeps } from '../feeds/person-data.ts'
import type { ErasureDeps } from '../people/erasure.ts'
import type { ConfirmingDeps } from '../people/identities.ts'
import type { PeopleDirectory } from '../people/people-directory.ts'
import type { Exporting } from '../publishing/written-once.ts'

/** Shows the progress of a long run: "Checked 1280 of 10000". */
export type Progress = (done: string, count: number, total: number) => void

/** What commands receive: the use cases and the streams. */
export interface CommandContext {
  /** Runs the bridge until the process is asked to end. */
  readonly serve: (json: boolean) => Promise<void>
  /** Opens the use cases, passes them to `work` and closes them afterwards. */
  readonly withUseCases: (work: (useCases: UseCases) => Promise<void>) => Promise<void>
  readonly workforce: () => Promise<SandboxTools>
  readonly versions: Versions
  readonly backUp: (target: BackupTarget, onPages: OnPages) => Promise<BackupMade>
  readonly restore: (input: string, onPages: OnPages) => Promise<Restored>
  readonly planMigration: (onPages: OnPages) => Promise<MigrationPlan>
  readonly migrate: () => Promise<Migrated>
  /** From now on, a signal that ends the process aborts this with that reason; failing standard output aborts it with its own. */
  readonly interruption: (reason: AppError) => AbortSignal
  readonly progress: Progress
  /** Standard input. */
  readonly input: () => AsyncIterable<Uint8Array>
  /** Writes to standard output part by part, as fast as it is read. */
  readonly stream: (parts: Iterable<string>) => Promise<void>
  /** Writes to standard output: lines for people and programs, or a file unchanged. */
  readonly print: (text: string, as?: 'lines' | 'file') => void
  /** Writes to standard error. */
  readonly warn: (text: string) => void
}

type OnPages = (count: number, total: number) => void

/** A new file, or a folder for one that is named by the time. */
export type BackupTarget =
  | { readonly file: string }
  | {
      readonly folder: string
      /** How many remain in the folder; all by default. */
      readonly keep: number | undefined
    }

export interface BackupMade {
  readonly file: string
  readonly bytes: number
  /** Older backups. */
  readonly removed: readonly string[]
}

export interface Restored {
  readonly database: string
  /** Where the former database is; null if there was none. */
  readonly replaced: string | null
  /** What had ended in the former database and works again; null if there was none that could be read. */
  readonly undone: UndoneByRestore | null
}

export interface Migrated {
  /** Names of the steps that the database has had now. */
  readonly steps: readonly string[]
  /** The copy of the file as it was; null if none was made. */
  readonly copy: string | null
}

export type Versions = Readonly<Record<'version' | 'node' | 'sqlite' | 'timeZones', string>>

/** The use cases that have commands. */
export interface UseCases {
  readonly administration: FeedAdministration
  readonly examiner: Examiner
  readonly connections: ReadonlyMap<string, Connection>
  readonly exporting: Exporting
  readonly explaining: ExplainingDeps
  readonly erasing: ErasureDeps
  readonly confirming: ConfirmingDeps
  readonly exportingPerson: PersonDataDeps
  readonly access: {
    readonly apiTokens: ApiTokens
    readonly audit: AuditStore
    /** null without a mail server. */
    readonly mailing: Mailing | null
  }
  readonly directory: PeopleDirectory
  readonly peopleListing: PeopleListingDeps
  /** How new addresses begin if no server runs and PUBLIC_URL is not set. */
  readonly assumedUrl: string | undefined
}

/** The embedded Read API on its own database. */
export interface SandboxTools {
  /** Runs until the process is asked to end; passes the base URL and the file of its new token to `started`. */
  serve(
    settings: SandboxSettings,
    started: (url: string, tokenFile: string | undefined) => void,
  ): Promise<void>
  /** Replaces a company in the database; fails with `invalid` and the faults of the file, which messages call `name`. */
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
    /** False if the company already had exactly this content. */
    readonly isChanged: boolean
  }>
  /** Undoes changes in a company; the sample becomes the sample of today. */
  resetCompany(
    settings: SandboxSettings,
  ): Promise<{ readonly companyId: string; readonly isSample: boolean }>
  /** Returns a company file of the sample company, in parts that can be read once. */
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
  /** Accepts a company without people. */
  readonly empty?: boolean | undefined
}

export type RecordCounts = Readonly<Record<string, number>>
