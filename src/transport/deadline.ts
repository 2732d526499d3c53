import { asAppError } from '../domain/errors.ts'
import { requestFault } from './request-fault.ts'
import { transportFault } from './transport-faults.ts'

interface Deadline {
  readonly url: URL
  readonly ms: number
  /** The caller's own. */
  readonly signal: AbortSignal | undefined
}

/** Runs the operation with a signal that ends it after so long: `upstream_unavailable` then, and the caller's reason where the caller ends it. */
export async function withinDeadline<T>(
  { url, ms, signal, says }: Deadline & { readonly says: string },
  operation: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = AbortSignal.timeout(ms)
  try {
    return await operation(signal ? AbortSignal.any([signal, deadline]) : deadline)
  } catch (error) {
    if (!deadline.aborted || error !== deadline.reason) throw error
    throw requestFault('upstream_unavailable', url, `${says} within ${ms} ms`)
  }
}

/** One exchange within its time-out; a fault of the connection becomes what it means to the caller. */
export function exchangeWithin<T>(
  deadline: Deadline,
  exchange: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return withinDeadline({ ...deadline, says: 'was not answered' }, async (signal) => {
    try {
      return await exchange(signal)
    } catch (error) {
      signal.throwIfAborted()
      throw asAppError(error) ?? transportFault(error, deadline.url)
    }
  })
}
