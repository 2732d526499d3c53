import { parser } from '@prometheus-io/lezer-promql'

export interface Selector {
  readonly metric: string
  /** Labels by which it selects. */
  readonly labels: readonly string[]
}

export interface Expression {
  readonly selectors: readonly Selector[]
  /** Labels by which it groups and matches. */
  readonly groupedBy: readonly string[]
}

/** What a PromQL expression asks for; fails if it is none. */
export function readPromql(text: string): Expression {
  const selectors: { metric: string; labels: string[] }[] = []
  const groupedBy: string[] = []
  parser.parse(text).iterate({
    enter: ({ name, from, to, node, type }) => {
      const found = text.slice(from, to)
      if (type.isError) throw new Error(`No PromQL at "${text.slice(from, to + 20)}": ${text}`)
      if (name === 'VectorSelector') selectors.push({ metric: '', labels: [] })
      const selector = selectors.at(-1)
      if (name === 'Identifier' && selector) selector.metric = found
      if (name !== 'LabelName') return
      if (node.parent?.name === 'GroupingLabels') groupedBy.push(found)
      else selector?.labels.push(found)
    },
  })
  return { selectors, groupedBy }
}
