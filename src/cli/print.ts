import { printable } from '../text/plain-text.ts'
import type { CommandContext } from './context.ts'

/** Prints a whole file that brings its own end of line, as it is. */
export function printText({ print }: Pick<CommandContext, 'print'>, text: string): void {
  print(text.replace(/\n$/, ''), 'file')
}

/** The same, but that nothing in a line can steer the terminal; JSON says the same with it. */
export function guarded(context: CommandContext): CommandContext {
  return {
    ...context,
    print: (text, as) => context.print(as === 'file' ? text : printable(text), as),
    warn: (text) => context.warn(printable(text)),
    progress: (done, ...counts) => context.progress(printable(done), ...counts),
  }
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
