import type { Command } from 'commander'

/** What a command is called by: `bridge feed list`. */
export function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`
}

/** `help feed rotate` is the help of that command, however deep it stands; one that there is not is said. */
export function helpWords(
  program: Command,
  [first, ...words]: readonly string[],
): readonly string[] {
  if (first === undefined) return []
  if (first !== 'help') return [first, ...words]
  const path = words.filter((word) => !word.startsWith('-'))
  return wordsTo(program, path)
}

/** The words of the command with `--help`, or those up to the first that names none. */
function wordsTo(command: Command, [word, ...rest]: readonly string[]): readonly string[] {
  const isGroup = command.commands.length > 0
  if (word === undefined || !isGroup) return ['--help']
  const next = command.commands.find((it) => it.name() === word)
  return next === undefined ? [word] : [word, ...wordsTo(next, rest)]
}
