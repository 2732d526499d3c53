import closeWithGrace from 'close-with-grace'

const closeAfterMs = 10_000

/** Closes what runs when the process is to end, by a signal or an error, which is told; ends it in any case after ten seconds. */
export function untilEnd(close: (error: Error | undefined) => Promise<void>): void {
  closeWithGrace({ delay: closeAfterMs, logger: false }, ({ err }) => close(err))
}
