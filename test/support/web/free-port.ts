import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** A port that nobody has, below those that the system hands out to anyone who asks for any, so that nobody gets it meanwhile. */
export async function freePort(): Promise<number> {
  const port = randomInt(20_000, 32_000)
  const server = createServer()
  const isFree = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, () => resolve(true))
  })
  if (!isFree) return freePort()
  await new Promise((resolve) => {
    server.close(resolve)
  })
  return port
}
