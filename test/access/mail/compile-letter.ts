/* Compiles the mail's MJML to the template that is filled at run time: `npm run mail`. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import mjml2html from 'mjml'

const folder = path.resolve(import.meta.dirname, '../../../src/access/mail/templates')
export const compiledFile = path.join(folder, 'letter.eta')

/** Fails with what MJML finds wrong. */
export async function compileLetter(): Promise<string> {
  const source = readFileSync(path.join(folder, 'letter.mjml'), 'utf8')
  const { html, errors } = await mjml2html(source, { beautify: true, fonts: {} })
  // Colours are filled in at run time.
  const faults = errors
    .map(({ formattedMessage }) => formattedMessage)
    .filter((message) => !/<%= it\.\w+\.\w+ %> for type Color/.test(message))
  if (faults.length > 0) throw new Error(faults.join('\n'))
  // MJML's `article` is no landmark, which a mail that is read by itself needs.
  return `${html.replace('role="article"', 'role="main"').trim()}\n`
}

if (process.argv[1] === import.meta.filename) writeFileSync(compiledFile, await compileLetter())
