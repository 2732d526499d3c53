/* SQLite files as this process has them open, so that a test can leave one of them no room. */
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'

const opened: DatabaseSync[] = []

const whole = Object.getOwnPropertyDescriptor(DatabaseSync.prototype, 'exec')
Object.defineProperty(DatabaseSync.prototype, 'exec', {
  ...whole,
  value(this: DatabaseSync, text: string): void {
    Reflect.apply(whole?.value, this, [text])
    if (text.startsWith('pragma journal_mode')) opened.push(this)
  },
})

/** Leaves that file no room: SQLite answers as on a full disk (SQLITE_FULL). Gives what ends it. */
export async function fillDisk(file: string): Promise<() => Promise<void>> {
  const writers = opened.filter((it) => it.isOpen && it.location() === file)
  const [filler] = writers
  await untilIdle(writers)
  filler?.exec('create table filler (bytes blob)')
  for (const writer of writers) writer.exec('pragma max_page_count = 1')
  // Pages that are free already.
  try {
    for (;;) filler?.exec('insert into filler values (zeroblob(3000))')
  } catch (error) {
    if (!(error instanceof Error && 'errcode' in error && error.errcode === 13)) throw error
  }
  return async () => {
    await untilIdle(writers)
    for (const writer of writers) writer.exec('pragma max_page_count = 4294967294')
    filler?.exec('drop table filler')
  }
}

/** Until none of them is within a transaction, whose end would also undo what the test does. */
async function untilIdle(writers: readonly DatabaseSync[]): Promise<void> {
  while (writers.some(({ isTransaction }) => isTransaction)) await nextTurn()
}
