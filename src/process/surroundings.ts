import type { Clock, Log } from '../domain/world.ts'
import type { CommonTime } from './common-clock.ts'
import type { BesideSandbox } from './embedded-sandbox.ts'

/** What the process edge hands in. */
export interface Surroundings {
  readonly clock: Clock
  readonly log: Log
  /** Whom the process runs as; undefined where the system numbers nobody. */
  readonly userId?: number | undefined
  /** Of the program and its time-zone data. */
  readonly versions: string
  /** Of the embedded Read API, where it is that of a server. */
  readonly besideSandbox?: BesideSandbox
  /** By which all nodes go: the database's where it is left out, each by its own clock where it is null. */
  readonly commonTime?: CommonTime | null
}
