import { AppError, asAppError } from '../../domain/errors.ts'
import type { CommandContext } from '../context.ts'

/** A run over a table. */
export interface TableRun {
  /** What its rows stand for. */
  readonly things: 'rows' | 'feeds'
  /** Whether it shows addresses, which stand nowhere else. */
  readonly showsAddresses: boolean
  /** What the same command does once more, in sentences. */
  readonly again: string
  readonly total: () => number
  /** How many are done, each of them printed. */
  readonly done: () => number
}

/** What the same command does to a table of which some is done. */
export const sameAgain = {
  create:
    'The same command again is safe: it skips what is made and makes the rest. Let it write to another file.',
  rotate:
    'The same command again gives those that are done yet another address: take their rows out of the table first.',
  revoke: 'The same command again is safe: it skips what has ended.',
  remind: 'The same command again is safe: it mails nobody twice a day.',
  plan: 'Nothing was changed.',
} as const

/** Runs over the table until the process is to end; whatever ends it before its last row is told with how to go on. */
export async function tellingHowToGoOn(
  { interruption, warn }: Pick<CommandContext, 'interruption' | 'warn'>,
  run: TableRun,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const ended = new AppError('unavailable', 'It was ended before it was done.')
  const signal = interruption(ended)
  try {
    await work(signal)
  } catch (error) {
    const known = asAppError(error)
    // What is wrong with the table itself is told before anything is done.
    if (run.done() === 0 && !signal.aborted) throw error
    const isLost = signal.aborted && signal.reason !== ended
    const said = isLost && run.showsAddresses ? lostSentence(run) : goOnSentence(run)
    if (known) throw new AppError(known.code, `${known.message} ${said}`, { cause: error })
    warn(said)
    throw error
  }
}

function goOnSentence({ things, showsAddresses, again, total, done }: TableRun): string {
  if (done() === 0) return 'Nothing was changed; the same command again begins anew.'
  if (done() >= total()) return again
  const where = `${done()} of ${total()} ${things} are done and stand in the output so far`
  return `${where}${showsAddresses ? ': keep it, no address is shown twice' : ''}. ${again}`
}

function lostSentence({ things, total, done }: TableRun): string {
  return `${done()} of ${total()} ${things} are done, and not all of them stand in the output: feed rotate --from gives those new addresses.`
}
