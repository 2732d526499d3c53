import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { onTestFinished } from 'vitest'

import { asAppError } from '../../../src/domain/errors.ts'
import { readSettings, type Settings } from '../../../src/settings/read-settings.ts'

export type Environment = Readonly<Record<string, string>>

export const elsewhere = {
  WORKFORCE_BASE_URL: 'https://hr.example/api/',
  WORKFORCE_TIMEZONE: 'Europe/Berlin',
}
export const secret = 's3cr3t-value-of-somebody'

export function companiesOf(environment: Environment): NonNullable<Settings['companies']> {
  return read(environment).companies ?? []
}

export function read(environment: Environment): Settings {
  return readSettings(environment, (file) => readFileSync(file))
}

/** The sentences with which the start is refused. */
export function faultsOf(environment: Environment): readonly string[] {
  try {
    read(environment)
  } catch (error) {
    const known = asAppError(error)
    if (known?.code === 'invalid') return known.message.split('\n')
    throw error
  }
  throw new Error('These settings are right.')
}

export function fileOf(companies: unknown): Promise<string> {
  return textFile(JSON.stringify(companies))
}

export async function textFile(text: string): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'settings-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const file = path.join(directory, 'file')
  await writeFile(file, text)
  return file
}
