/*
 * What the program is made of when it runs, as CycloneDX JSON, by npm out of the lock file: no network is needed. npm's
 * own `--omit=dev` also leaves out packages that both the program and a tool need (zod, pg), so all are listed and those of
 * development taken out by what npm says of each.
 */
import packageFile from '../../package.json' with { type: 'json' }
import { runNpm } from './npm.ts'

export interface Component {
  readonly 'bom-ref': string
  readonly name: string
  readonly properties?: readonly { readonly name: string; readonly value: string }[]
}

export interface Bom {
  readonly metadata: { readonly component: Component }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[]
  readonly [member: string]: unknown
}

if (import.meta.main) console.log(JSON.stringify(runtimeOnly(await listAll()), null, 2))

/** Of every package of the lock file. */
export async function listAll(): Promise<Bom> {
  const words = ['--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only']
  return JSON.parse(await runNpm('sbom', ...words)) as Bom
}

/** Without what is there for development alone; the program goes by its name, not by its folder's as npm has it. */
export function runtimeOnly(bom: Bom): Bom {
  const { metadata } = bom
  const components = bom.components.filter((component) => !isDevelopment(component))
  const left = new Set(components.map((component) => component['bom-ref']))
  const isLeft = (ref: string): boolean => left.has(ref)
  const known = new Set(bom.components.map((component) => component['bom-ref']))
  return {
    ...bom,
    metadata: { ...metadata, component: { ...metadata.component, name: packageFile.name } },
    components,
    dependencies: bom.dependencies
      .filter(({ ref }) => isLeft(ref) || !known.has(ref))
      .map((it) => ({ ...it, dependsOn: (it.dependsOn ?? []).filter(isLeft) })),
  }
}

function isDevelopment({ properties = [] }: Component): boolean {
  return properties.some(
    ({ name, value }) => name === 'cdx:npm:package:development' && value === 'true',
  )
}
