/* A command line that mails by a real mail server, and a company whose people have addresses. */
import { onTestFinished } from 'vitest'

import { readCsv } from '../bench/printed-table.ts'
import { type MailHabits, type MailServer, startMailServer } from '../web/mail-server.ts'
import { type CommandResult, runCommand, type TestCommandLine } from './command-line.ts'

let companies = 0

export interface MailingLine {
  /** Before the ids of its people, who are nobody else's. */
  readonly tag: string
  readonly server: MailServer
  readonly environment: Readonly<Record<string, string>>
  readonly run: (...words: readonly string[]) => Promise<CommandResult>
}

/** A company of so many people with an address each, somebody who has none, and somebody with two. */
export async function mailing(
  line: TestCommandLine,
  habits: MailHabits = {},
  count = 2,
): Promise<MailingLine> {
  const tag = `c${(companies += 1)}`
  const server = await startMailServer(habits)
  onTestFinished(() => server.close())
  const people = Array.from({ length: count }, (_, index) => ({
    id: `${tag}_${index}`,
    firstName: `First${index}`,
    lastName: 'Last',
    email: `person${index}@example.com`,
    isActive: true,
  }))
  line.company.records.users = [
    ...people,
    { id: `${tag}_none`, firstName: 'No', lastName: 'Mail', isActive: true },
    { id: `${tag}_odd`, firstName: 'Odd', lastName: 'Mail', email: 'a@b.example, c@d.example' },
  ]
  const environment = { ...line.environment, ...server.environment }
  return { tag, server, environment, run: (...words) => runCommand(environment, ...words) }
}

/** The rows of the table that was printed. */
export function rowsOf({ output }: CommandResult): readonly Readonly<Record<string, string>>[] {
  return readCsv(output).map(({ cells }) => cells)
}
