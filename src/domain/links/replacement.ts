import { createHmac, randomBytes } from 'node:crypto'

import { type Choices, type FeedLink, onlyAway } from '../link.ts'

/** What of the choices of a link goes on with the link that takes its place: not what its holder chose, but what its holder must not see. */
export function lastingChoices({ choices }: Pick<FeedLink, 'choices'>): Choices {
  return choices.onlyAway ? onlyAway : {}
}

/** The key of a form that puts a new secret in the place of a link's: as random as the secret. */
export function makeReplacementKey(): string {
  return randomBytes(32).toString('base64url')
}

/** The secret that a form with that key puts in the place of the link's, however often it is sent: of another key another. */
export function replacementToken(key: string, { feedId, tokenHash }: FeedLink): string {
  return tokenOfForm(key, feedId, Buffer.from(tokenHash).toString('base64url'))
}

/** The secret that a form with that key gives to what it makes, however often it is sent: to anything else another. */
export function tokenOfForm(key: string, ...made: readonly string[]): string {
  return `cfb_${createHmac('sha256', key).update(JSON.stringify(made)).digest('base64url')}`
}
