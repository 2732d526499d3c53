/* Another program that uses a SQLite file: runs what it is told on it, and says when that is done. */
import { DatabaseSync } from 'node:sqlite'

const database = new DatabaseSync(process.argv[2] ?? '', { timeout: 30_000 })

process.on('message', (text: string) => {
  database.exec(text)
  process.send?.('done')
})
process.on('disconnect', () => process.exit())
