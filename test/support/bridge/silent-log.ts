import type { Log } from '../../../src/domain/world.ts'

const ignore = (): void => {}

/** A log that nobody reads. */
export const silentLog: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore }
