import { Command } from 'commander'

import type { CommandContext, SandboxSettings } from '../context.ts'
import { portNumber } from '../option-values.ts'

interface ServeOptions extends SandboxSettings {
  readonly json?: boolean
}

const example = `
Example:
  bridge workforce serve --port 8090 --database file:./company.sqlite`

/** `workforce serve`: runs the Read API alone until the process is told to end. */
export function workforceServeCommand({ workforce, print }: CommandContext): Command {
  return new Command('serve')
    .description('run the Read API alone')
    .option('--port <number>', 'where it listens; 0 picks one', portNumber, 8090)
    .option('--database <url>', 'file:… or postgres://…, if not WORKFORCE_DATABASE_URL')
    .option('--json', 'print the address as JSON')
    .addHelpText('after', example)
    .action(async ({ json, ...settings }: ServeOptions) =>
      (await workforce()).serve(settings, (url, tokenFile) =>
        print(json ? JSON.stringify({ url }) : startLines(url, tokenFile).join('\n')),
      ),
    )
}

function startLines(url: string, tokenFile: string | undefined): readonly string[] {
  const token = tokenFile === undefined ? [] : [`The admin token lies in ${tokenFile}.`]
  return [
    `The Read API runs. WORKFORCE_BASE_URL=${url}`,
    `${url}/docs to try its operations, ${url}/sandbox to change its records.`,
    ...token,
  ]
}
