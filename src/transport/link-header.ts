interface Link {
  readonly target: string
  /** Names in lower case; of a repeated one the first counts (RFC 8288 section 3). */
  readonly parameters: ReadonlyMap<string, string>
}

const linkPattern = /<([^<>]*)>((?:[^",]|"(?:[^"\\]|\\.)*")*)/g
const parameterPattern = /;\s*([^\s=;"]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*)))?/g

/** The target of the first link of that relation in a `Link` field (RFC 8288 section 3); undefined where there is none. */
export function findLink(field: string, relation: string): string | undefined {
  return parseLinks(field).find((link) => hasRelation(link, relation))?.target
}

function parseLinks(field: string): readonly Link[] {
  return Array.from(field.matchAll(linkPattern), ([, target = '', parameters = '']) => ({
    target: target.trim(),
    parameters: parseParameters(parameters),
  }))
}

function parseParameters(text: string): ReadonlyMap<string, string> {
  const pairs = Array.from(
    text.matchAll(parameterPattern),
    ([, name = '', quoted, token = '']): [string, string] => [
      name.toLowerCase(),
      quoted?.replaceAll(/\\(.)/g, '$1') ?? token,
    ],
  )
  return new Map(pairs.toReversed())
}

// A link with an anchor speaks of another resource (RFC 8288 section 3.2).
function hasRelation({ parameters }: Link, relation: string): boolean {
  const relations = (parameters.get('rel') ?? '').toLowerCase().split(/\s+/)
  return relations.includes(relation) && !parameters.has('anchor')
}
