/** What the parser of commands says of wrong usage, as all other errors are said: one sentence, with what was meant. */
export function usageSentence(text: string): string {
  const [said = '', hint = ''] = text
    .trim()
    .replace(/^error: /, '')
    .split('\n')
  const meant = /^\(Did you mean (.*)\?\)$/.exec(hint)?.[1]
  const sentence = said.charAt(0).toUpperCase() + said.slice(1).replace(/\.$/, '')
  return meant === undefined ? `${sentence}.` : `${sentence}; did you mean \`${meant}\`?`
}
