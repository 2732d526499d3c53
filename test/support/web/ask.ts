import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** Sends the message to a process that answers each, and gives its answer. */
export async function ask<Answer>(child: ChildProcess, message: object | string): Promise<Answer> {
  const answered = once(child, 'message')
  child.send(message)
  const [answer] = (await answered) as [Answer]
  return answer
}

/** Ends the process and waits for that. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}
