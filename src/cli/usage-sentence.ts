interface Hint {
  readonly begin: string
  readonly paths: readonly string[]
  readonly meant: string
}

/** What is often tried and has another form here, by the commands with which it is tried. */
const hints: readonly Hint[] = [
  { begin: "unknown command 'version'", paths: ['bridge'], meant: 'bridge --version' },
  {
    begin: "unknown option '--port'",
    paths: ['bridge', 'bridge serve'],
    meant: 'PORT=8191 bridge serve',
  },
  {
    begin: "too many arguments for 'create'",
    paths: ['bridge feed create'],
    meant: 'bridge feed create --user ID',
  },
]

/** What is answered best by all that the command takes. */
const needsHelp = /^(unknown|too many|missing|required)/

/**
 * What the parser of commands says of wrong usage, as all other errors are said: one sentence, with what was meant, or where
 * everything stands that the command of that `path` takes.
 */
export function usageSentence(text: string, path: string): string {
  const [said = '', hint = ''] = text
    .trim()
    .replace(/^error: /, '')
    .split('\n')
  const otherwise = hints.find(({ begin, paths }) => said.startsWith(begin) && paths.includes(path))
  const meant = otherwise?.meant ?? /^\(Did you mean (.*)\?\)$/.exec(hint)?.[1]
  const sentence = said.charAt(0).toUpperCase() + said.slice(1).replace(/\.$/, '')
  if (meant !== undefined) return `${sentence}; did you mean \`${meant}\`?`
  const help = needsHelp.test(said) ? `; \`${path} --help\` says what there is` : ''
  return `${sentence}${help}.`
}
