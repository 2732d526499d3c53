/* SQLite files as this process has them open, so that a test can leave one of them no room. */
import { DatabaseSync } from 'node:sqlite'

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
export function fillDisk(file: string): () => void {
  const writers = opened.filter((it) => it.isOpen && it.location() === file)
  const [filler] = writers
  filler?.exec('create table filler (bytes blob)')
  for (const writer of writers) writer.exec('pragma max_page_count = 1')
  // Pages that are free already.
  try {
    for (;;) filler?.exec('insert into filler values (zeroblob(3000))')
  } catch (error) {
    if (!(error instanceof Error && 'errcode' in error && error.errcode === 13)) throw error
  }
  return () => {
    for (const writer of writers) writer.exec('pragma max_page_count = 4294967294')
    filler?.exec('drop table filler')
  }
}
