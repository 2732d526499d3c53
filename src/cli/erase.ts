import { Command } from 'commander'

import { type Erasure, erasePerson, type HeldCalendar } from '../people/erasure.ts'
import type { CommandContext } from './context.ts'
import { nonEmpty } from './option-values.ts'
import { printJson } from './print.ts'

/** `erase`: removes what is kept about a person, and says what calendar programs outside still hold. */
export function eraseCommand(context: CommandContext): Command {
  return new Command('erase')
    .description('remove everything kept about a person, in every company')
    .requiredOption('--user <id>', 'the person', nonEmpty)
    .option('--json', 'print what was removed as JSON')
    .addHelpText('after', '\nExample:\n  bridge erase --user usr_ada')
    .action(({ user, json }: { user: string; json?: boolean }) =>
      context.withUseCases(async ({ erasing }) => {
        const erasure = await erasePerson(erasing, user)
        if (json) printJson(context, view(erasure))
        else context.print(describe(erasure))
      }),
    )
}

function view({ heldBy, ...erasure }: Erasure): object {
  return {
    ...erasure,
    heldBy: heldBy.map((held) => ({
      ...held,
      lastPolledAt: new Date(held.lastPolledAt).toISOString(),
    })),
    remains: remains(erasure),
  }
}

function describe(erasure: Erasure): string {
  const { userId, removedFeeds, changedFeeds, copies, heldBy } = erasure
  return [
    `Removed of ${userId}: feeds with their links: ${removedFeeds.length}, copies of records: ${copies}.`,
    ...changedFeeds.map(
      ({ id, name }) => `Goes on without ${userId}: ${id}, "${name}" (a name stays as it was set).`,
    ),
    ...heldBy.map((held) => `Still holds what it fetched: ${describeHeld(held)}.`),
    ...remains(erasure),
  ].join('\n')
}

function describeHeld({ feedId, label, client, lastPolledAt }: HeldCalendar): string {
  return `${client}, by the link "${label}" of ${feedId}, last on ${new Date(lastPolledAt).toISOString()}`
}

/** What no program here can reach. */
function remains({ userId }: Pick<Erasure, 'userId'>): readonly string[] {
  return [
    `Calendar programs keep what they fetched until the subscription is removed in them; downloaded files stay where they are.`,
    `The Read API itself is not changed: while it names ${userId}, tasks shared with others bring the name again.`,
    `Backups and logs from before still name ${userId}.`,
  ]
}
