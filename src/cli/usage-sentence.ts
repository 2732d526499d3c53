/** What is often tried and has another form here. */
const hints = [
  ["unknown command 'version'", 'bridge --version'],
  ["unknown option '--port'", 'PORT=8191 bridge serve'],
] as const

/** What the parser of commands says of wrong usage, as all other errors are said: one sentence, with what was meant. */
export function usageSentence(text: string): string {
  const [said = '', hint = ''] = text
    .trim()
    .replace(/^error: /, '')
    .split('\n')
  const otherwise = hints.find(([begin]) => said.startsWith(begin))?.[1]
  const meant = otherwise ?? /^\(Did you mean (.*)\?\)$/.exec(hint)?.[1]
  const sentence = said.charAt(0).toUpperCase() + said.slice(1).replace(/\.$/, '')
  return meant === undefined ? `${sentence}.` : `${sentence}; did you mean \`${meant}\`?`
}
