import { globSync } from 'node:fs'
import path from 'node:path'
import { parseEnv } from 'node:util'

import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

import packageFile from '../../package.json' with { type: 'json' }
import { readSettings } from '../../src/settings/read-settings.ts'
import { deployed, imageEnvironment, wordsOf } from '../support/deploy/files.ts'
import { faultsOf, type Manifest } from '../support/deploy/manifests.ts'

const folder = path.resolve(import.meta.dirname, '../../deploy/kubernetes')
const manifest = (file: string): Manifest => parse(deployed(`kubernetes/${file}`)) as Manifest
const kustomization = manifest('kustomization.yaml')
const { spec } = manifest('deployment.yaml')
const pod = spec.template.spec
const [container] = pod.containers

describe('deploy/kubernetes', () => {
  const files = globSync('*.yaml', { cwd: folder }).filter((file) => file !== 'kustomization.yaml')

  it.each(files)('%s fits its schema', (file) => {
    expect(faultsOf(manifest(file))).toEqual([])
  })

  it('a misspelt field of a manifest is a fault', () => {
    const misspelt = structuredClone(manifest('deployment.yaml'))
    misspelt['spec'].template.spec.containers[0].readinesProbe = {}
    misspelt['spec'].replicas = 'two'
    expect(faultsOf(misspelt)).toEqual([
      expect.objectContaining({ instancePath: '/spec/replicas' }),
      'unknown: /spec/template/spec/containers/0/readinesProbe',
    ])
  })

  it('the kustomization has every manifest but the example of a secret', () => {
    const listed: readonly string[] = kustomization['resources']
    expect(listed.toSorted()).toEqual(
      files.filter((file) => file !== 'secret.example.yaml').toSorted(),
    )
    expect(kustomization['images']).toMatchObject([
      { name: container.image, newTag: packageFile.version },
    ])
  })

  it('all of them select the same pods', () => {
    const { labels } = spec.template.metadata
    const [spread] = pod.topologySpreadConstraints
    expect([
      spec.selector.matchLabels,
      spread.labelSelector.matchLabels,
      manifest('service.yaml')['spec'].selector,
      manifest('pod-disruption-budget.yaml')['spec'].selector.matchLabels,
      manifest('network-policy.yaml')['spec'].podSelector.matchLabels,
    ]).toEqual(Array.from({ length: 5 }, () => labels))
  })

  it('the settings, with the files of the example secret, start a node of several', () => {
    const secrets: Readonly<Record<string, string>> = manifest('secret.example.yaml')['stringData']
    const [mounted] = container.volumeMounts
    const settings = parseEnv(deployed('kubernetes/settings.env'))
    const read = readSettings({ ...imageEnvironment(), ...settings }, (file) => {
      expect(path.dirname(file)).toBe(mounted.mountPath)
      return Buffer.from(secrets[path.basename(file)] ?? '')
    })
    expect(read).toMatchObject({
      host: '0.0.0.0',
      trustProxy: 1,
      databaseUrl: expect.stringMatching(/^postgres:/),
    })
    expect(container.ports).toEqual([{ name: 'http', containerPort: read.port }])
    expect(new URL(read.publicUrl ?? '').hostname).toBe(
      manifest('ingress.yaml')['spec'].rules[0].host,
    )
  })

  it('a pod runs as the account of the image, and may do nothing else', () => {
    const { runAsUser, runAsGroup, runAsNonRoot } = pod.securityContext
    expect([`${runAsUser}:${runAsGroup}`, runAsNonRoot]).toEqual([wordsOf('USER')[0], true])
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    const writable = container.volumeMounts.filter(
      ({ readOnly }: { readOnly?: boolean }) => !readOnly,
    )
    expect(writable.map(({ mountPath }: { mountPath: string }) => mountPath)).toEqual(
      wordsOf('VOLUME'),
    )
  })
})
