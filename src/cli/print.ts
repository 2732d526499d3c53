import type { CommandContext } from './context.ts'

/** Prints a whole text that brings its own end of line. */
export function printText({ print }: Pick<CommandContext, 'print'>, text: string): void {
  print(text.replace(/\n$/, ''))
}

/** Prints what programs read, as the API answers. */
export function printJson({ print }: Pick<CommandContext, 'print'>, value: object): void {
  print(JSON.stringify(value, null, 2))
}

/** Says what could not be checked. */
export function printWarnings(
  { warn }: Pick<CommandContext, 'warn'>,
  warnings: readonly string[],
): void {
  for (const warning of warnings) warn(`Warning: ${warning}`)
}
