/* The admin token that the program keeps itself. */
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

import { expect, inject, it } from 'vitest'

import { adminTokenOf } from '../src/process/data-directory.ts'
import { readSettings } from '../src/settings/read-settings.ts'

it('the admin token is created once; one sentence says why if it cannot be kept', async () => {
  const folder = await mkdtemp(path.join(inject('temporaryFolder'), 'demo-'))
  const settings = readSettings({ DATABASE_URL: `file:${folder}/data/bridge.sqlite` })
  const token = await adminTokenOf(settings)
  expect(await adminTokenOf(settings)).toBe(token)
  const file = path.join(folder, 'data', 'admin-token')
  expect(await readFile(file, 'utf8')).toBe(`${token}\n`)
  await writeFile(path.join(folder, 'no-folder'), '')
  const blocked = readSettings({ DATABASE_URL: `file:${folder}/no-folder/bridge.sqlite` })
  await expect(adminTokenOf(blocked)).rejects.toThrow(
    `The file ${folder}/no-folder/admin-token cannot be written: not a directory.`,
  )
})
