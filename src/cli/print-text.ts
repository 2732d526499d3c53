import type { CommandContext } from './context.ts'

/** Prints a whole text that brings its own end of line. */
export function printText({ print }: Pick<CommandContext, 'print'>, text: string): void {
  print(text.replace(/\n$/, ''))
}
