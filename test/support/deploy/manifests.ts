/* Kubernetes manifests, held against its schemas as strictly as a server that refuses unknown fields. */
import { validate as deployment } from 'kubernetes-models/_schemas/IoK8sApiAppsV1Deployment'
import { validate as namespace } from 'kubernetes-models/_schemas/IoK8sApiCoreV1Namespace'
import { validate as secret } from 'kubernetes-models/_schemas/IoK8sApiCoreV1Secret'
import { validate as service } from 'kubernetes-models/_schemas/IoK8sApiCoreV1Service'
import { validate as serviceAccount } from 'kubernetes-models/_schemas/IoK8sApiCoreV1ServiceAccount'
import { validate as ingress } from 'kubernetes-models/_schemas/IoK8sApiNetworkingV1Ingress'
import { validate as networkPolicy } from 'kubernetes-models/_schemas/IoK8sApiNetworkingV1NetworkPolicy'
import { validate as podDisruptionBudget } from 'kubernetes-models/_schemas/IoK8sApiPolicyV1PodDisruptionBudget'

type Validate = ((data: unknown) => boolean) & { readonly errors?: readonly object[] | null }

const schemas: ReadonlyMap<string, Validate> = new Map<string, Validate>([
  ['apps/v1 Deployment', deployment],
  ['v1 Namespace', namespace],
  ['v1 Secret', secret],
  ['v1 Service', service],
  ['v1 ServiceAccount', serviceAccount],
  ['networking.k8s.io/v1 Ingress', ingress],
  ['networking.k8s.io/v1 NetworkPolicy', networkPolicy],
  ['policy/v1 PodDisruptionBudget', podDisruptionBudget],
])

export interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  // oxlint-disable-next-line typescript/no-explicit-any -- each kind has its own members, and a schema has held them
  readonly [member: string]: any
}

/** What is wrong with it; fields that its schema does not know are. */
export function faultsOf(manifest: Manifest): readonly unknown[] {
  const validate = schemas.get(`${manifest.apiVersion} ${manifest.kind}`)
  if (!validate) return [`no schema of ${manifest.apiVersion} ${manifest.kind}`]
  const unread = new Set<string>()
  validate(watched(manifest, '', unread))
  return [...(validate.errors ?? []), ...[...unread].map((place) => `unknown: ${place}`)]
}

/** The package's schemas let unknown fields be, but read every field they know: one that stays unread is unknown. */
function watched(value: unknown, place: string, unread: Set<string>): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one, at) => watched(one, `${place}/${at}`, unread))
  const members = Object.entries(value).map(([key, member]) => {
    unread.add(`${place}/${key}`)
    return [key, watched(member, `${place}/${key}`, unread)]
  })
  return new Proxy(Object.fromEntries(members) as object, {
    get: (target, key) => {
      unread.delete(`${place}/${String(key)}`)
      return Reflect.get(target, key) as unknown
    },
  })
}
