/* The commands of a page of docs/, run by a shell as they stand, in a folder like that of somebody who has just cloned. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'

import { inject } from 'vitest'

import { type ProgramResult, resultOf } from '../bridge/program.ts'

const root = path.resolve(import.meta.dirname, '../../..')

export interface PageCommands {
  /** Lines of `KEY=value` with their comments, as for `.env`. */
  readonly settings: string
  /** In order, each with its comment; one that goes on in the next line is one. */
  readonly commands: readonly string[]
}

/** What every ```sh block of the page holds. */
export function commandsOn(page: string): PageCommands {
  const written = readFileSync(path.join(root, page), 'utf8')
  const blocks = [...written.matchAll(/^ *```sh\n([^]*?)^ *```$/gm)].map(([, block = '']) => block)
  const isSetting = (block: string): boolean => /^[A-Z_]+=\S+ *(?:#|$)/.test(block)
  return {
    settings: blocks.filter(isSetting).join(''),
    commands: blocks
      .filter((block) => !isSetting(block))
      .flatMap((block) => block.replaceAll('\\\n', '').trim().split('\n'))
      .map((line) => line.trim()),
  }
}

/** A folder with the program, its packages and nothing else. */
export function clonedFolder(): string {
  const folder = mkdtempSync(path.join(inject('temporaryFolder'), 'cloned-'))
  for (const name of ['package.json', 'src', 'node_modules']) {
    symlinkSync(path.join(root, name), path.join(folder, name))
  }
  return folder
}

/** Runs the line by `sh` in that folder. */
export function runLine(line: string, folder: string): Promise<ProgramResult> {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env
  const child = spawn('/bin/sh', ['-c', line], {
    cwd: folder,
    env: { PATH, HOME, NODE_COMPILE_CACHE },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return resultOf(child)
}

/** The line with each of the page's placeholders replaced; fails if the page has lost one. */
export function fillIn(written: string, placeholders: Readonly<Record<string, string>>): string {
  return Object.entries(placeholders).reduce((line, [placeholder, value]) => {
    if (!line.includes(placeholder)) throw new Error(`${placeholder} is not in ${written}`)
    return line.replaceAll(placeholder, value)
  }, written)
}
