import { requestFault } from './request-fault.ts'

interface Deadline {
  readonly url: URL
  readonly ms: number
  /** The caller's own. */
  readonly signal: AbortSignal | undefined
}

/** Runs the operation with a signal that ends it after so long: `upstream_unavailable` then, and the caller's reason where the caller ends it. */
export async function withinDeadline<T>(
  { url, ms, signal }: Deadline,
  operation: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = AbortSignal.timeout(ms)
  try {
    return await operation(signal ? AbortSignal.any([signal, deadline]) : deadline)
  } catch (error) {
    if (!deadline.aborted || error !== deadline.reason) throw error
    throw requestFault('upstream_unavailable', url, `was not answered whole within ${ms} ms`)
  }
}
