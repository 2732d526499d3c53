import type { FeedView } from '../../feeds/feed-view.ts'
import type { CommandContext, UseCases } from '../context.ts'

type Told = Pick<FeedView, 'companyId'>

/** Says what the addresses of open feeds answer whose company is not set up, once for each company. */
export function warnOfNoCompany(
  { warn }: Pick<CommandContext, 'warn'>,
  { connections }: Pick<UseCases, 'connections'>,
  openFeeds: readonly Told[],
): void {
  const unset = new Set(
    openFeeds.map(({ companyId }) => companyId).filter((id) => !connections.has(id)),
  )
  for (const companyId of unset) {
    warn(
      `Note: no company "${companyId}" is set up, so the addresses of its feeds answer 503. Set it up again under that id, or end them with feed revoke.`,
    )
  }
}
