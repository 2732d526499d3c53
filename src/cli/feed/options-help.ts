import { listOptions } from '../../feeds/options/option-table.ts'

/** What the help says of every option. */
export function optionsHelp(): string {
  const entries = listOptions().map(({ name, meaning, values, defaults, example }) => {
    const { own, others } = defaults
    const otherwise = own === others ? own : `${own}; of a feed for others ${others}`
    return `  ${name}: ${values}\n      ${meaning}.\n      Default: ${otherwise}. Example: '${example}'`
  })
  return `\nOptions, as JSON; what is left out takes its default:\n${entries.join('\n')}`
}
