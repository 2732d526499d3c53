/* The files of deploy/, as those who run the bridge use them. */
import { readFileSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../../..')

/** The text of a file below deploy/. */
export function deployed(file: string): string {
  return readFileSync(path.join(root, 'deploy', file), 'utf8')
}

export interface Instruction {
  readonly keyword: string
  readonly words: string
}

/** The instructions of the image's Dockerfile by stage, in their order; continued lines are one. */
export function imageStages(): readonly (readonly Instruction[])[] {
  const lines = deployed('docker/Dockerfile')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '')
  const stages: Instruction[][] = []
  for (const line of lines) {
    const [, keyword = '', words = ''] = /^(\S+) (.*)$/.exec(line) ?? []
    if (keyword === 'FROM') stages.push([])
    stages.at(-1)?.push({ keyword, words })
  }
  return stages
}

/** What the image sets in the environment. */
export function imageEnvironment(): Readonly<Record<string, string>> {
  const [text = ''] = wordsOf('ENV')
  return Object.fromEntries(
    [...text.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
  )
}

/** What follows that keyword in the image's last stage. */
export function wordsOf(keyword: string): readonly string[] {
  const last = imageStages().at(-1) ?? []
  return last.flatMap((one) => (one.keyword === keyword ? [one.words] : []))
}
