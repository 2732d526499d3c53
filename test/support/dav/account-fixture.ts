import { it as base } from '../bridge/fixtures.ts'
import { accountOf, type DavAccount } from './dav-client.ts'

/** `it` with a feed of Ada and its link as an account. */
export const it = base
  .extend('feed', ({ bridge }) => bridge.createFeed({ userIds: ['usr_ada'] }))
  .extend('account', ({ bridge, feed }): DavAccount => accountOf(feed, bridge.url))
