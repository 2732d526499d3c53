import { type FeedLink, hashToken } from '../domain/link.ts'

/** An open link of that secret, which has served nothing yet. */
export function newLink(
  token: string,
  { feedId, label, createdAt }: Pick<FeedLink, 'feedId' | 'label' | 'createdAt'>,
): FeedLink {
  const tokenHash = hashToken(token)
  if (!tokenHash) throw new Error('A new token is always well formed.')
  return {
    feedId,
    label,
    tokenHash,
    createdAt,
    endsAt: null,
    endingSince: null,
    purged: false,
    publication: null,
  }
}
