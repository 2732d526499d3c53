import { type FeedLink, hashToken, makeToken } from '../domain/link.ts'

/** An open link of a new secret, which has served nothing yet. */
export function newLink(
  of: Pick<FeedLink, 'feedId' | 'label' | 'createdAt'>,
  token = makeToken(),
): {
  readonly link: FeedLink
  readonly token: string
} {
  const tokenHash = hashToken(token)
  if (!tokenHash) throw new Error('A new token is always well formed.')
  const link = {
    ...of,
    tokenHash,
    endsAt: null,
    endingSince: null,
    purged: false,
    awaitsPoll: false,
    choices: {},
    publication: null,
  }
  return { link, token }
}
