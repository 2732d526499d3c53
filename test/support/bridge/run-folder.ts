/* Where the files of a test run lie: in memory where there is room, since every commit waits for a disk. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

const inMemory = '/dev/shm'

/** Many times what a whole run leaves behind. */
const roomBytes = 2 ** 30

/** Removes the folder when this process ends the pipe, by whatever death, so that no memory stays taken. */
const guardian = `cat > /dev/null; for try in 1 2 3 4 5; do rm -rf "$0" && exit; sleep 1; done`

/** A folder of the run's own; `remove` leaves nothing of it behind. */
export interface RunFolder {
  readonly folder: string
  readonly remove: () => Promise<void>
}

/** Makes it; anyone who knows what is in it may read that, as PostgreSQL's own user has to. */
export async function makeRunFolder(): Promise<RunFolder> {
  const parent = (await hasRoom(inMemory)) ? inMemory : tmpdir()
  const folder = await mkdtemp(path.join(parent, 'bridge-tests-'))
  await chmod(folder, 0o711)
  const remover = spawn('/bin/sh', ['-c', guardian, folder], {
    // Not of the run's group: whoever ends all of that does not end this.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const remove = async (): Promise<void> => {
    remover.stdin.end()
    await once(remover, 'exit')
  }
  return { folder, remove }
}

async function hasRoom(folder: string): Promise<boolean> {
  return statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize >= roomBytes,
    () => false,
  )
}
