import { type Choices, type FeedLink, onlyAway } from '../link.ts'

/** What of the choices of a link goes on with the link that takes its place: not what its holder chose, but what its holder must not see. */
export function lastingChoices({ choices }: Pick<FeedLink, 'choices'>): Choices {
  return choices.onlyAway ? onlyAway : {}
}

/** As they are kept; null where nothing is chosen. */
export function choicesText(choices: Choices): string | null {
  return Object.keys(choices).length === 0 ? null : JSON.stringify(choices)
}
