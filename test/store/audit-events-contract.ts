import fc from 'fast-check'
import { expect, inject, it } from 'vitest'

import type { AuditAction, AuditEvent } from '../../src/domain/access/audit-entry.ts'
import type { FeedLink } from '../../src/domain/link.ts'
import { adasFeed, linkTo, makeFeed, uniqueId } from './fixtures.ts'
import type { Stores } from './stores.ts'

const labels = ['default', 'phone', 'desk'] as const
const named = { label: fc.constantFrom(...labels) }

/** What may be done to a feed and its links. */
const operations = fc.oneof(
  fc.record({ what: fc.constant('create'), ...named }),
  fc.record({ what: fc.constant('end'), ...named, in: fc.nat(3) }),
  fc.record({ what: fc.constant('endByToken'), ...named, in: fc.nat(3) }),
  fc.record({ what: fc.constant('rotate'), ...named, meant: fc.boolean() }),
  fc.record({ what: fc.constant('choose'), ...named, hide: fc.boolean() }),
  fc.record({ what: fc.constant('rename'), ...named, hide: fc.boolean() }),
)
type Operation = Readonly<{
  what: string
  label: string
  in?: number
  hide?: boolean
  meant?: boolean
}>

const actions: Readonly<Record<string, AuditAction>> = {
  create: 'link_created',
  end: 'link_ended',
  endByToken: 'link_ended',
  rotate: 'link_rotated',
  choose: 'choices_changed',
  rename: 'feed_changed',
}

/** What every method that is told a audit event promises. */
export function testAuditEvents({ store }: Stores): void {
  const { feeds, links, audit } = store

  async function perform(feedId: string, operation: Operation, at: number): Promise<unknown> {
    const { what, label } = operation
    const auditEvent: AuditEvent = { at, actor: 'staff:a@example.com', action: actions[what]! }
    const feed = (await feeds.findFeed(feedId))!
    const link = (await links.listLinks([feedId])).find((one) => one.label === label)
    const fresh = linkTo(feed, { label, createdAt: at })
    const endsAt = at + (operation.in ?? 0)
    if (what === 'create') return links.createLink(fresh, auditEvent)
    if (what === 'end') return links.endLink(feedId, label, { endsAt }, auditEvent)
    if (what === 'endByToken') return links.endByToken(link ?? fresh, endsAt, auditEvent)
    if (what === 'choose') {
      const choices = operation.hide ? { hide: ['tasks' as const] } : {}
      return links.changeChoices(link ?? fresh, () => choices, auditEvent)
    }
    if (what === 'rotate') {
      const meant = operation.meant ? { tokenHash: (link ?? fresh).tokenHash } : {}
      return links.rotateLink(
        fresh,
        { ...meant, label: `old ${label}`, endsAt: at + 1 },
        auditEvent,
      )
    }
    const name = operation.hide ? 'Hidden' : 'Shown'
    return feeds.changeFeed(
      feedId,
      (now) => (now.name === name ? null : { ...now, name }),
      auditEvent,
    )
  }

  it('every change adds one entry; no change or a failure adds none, whatever the operation', async () => {
    const numRuns = inject('isThorough') ? 200 : 15
    await fc.assert(
      fc.asyncProperty(fc.array(operations, { minLength: 4, maxLength: 12 }), async (all) => {
        const { id, companyId, userIds } = await makeFeed(store)
        const stateOf = async (): Promise<string> =>
          JSON.stringify([await feeds.findFeed(id), await links.listLinks([id])])
        let at = Date.UTC(2026, 1, 1)
        let noted = 0
        for (const operation of all) {
          at += 1
          const before = await stateOf()
          await perform(id, operation, at).catch((error: unknown) => {
            expect(error).toMatchObject({ code: 'conflict' })
          })
          const hasChanged = (await stateOf()) !== before
          noted += hasChanged ? 1 : 0
          const entries = await audit.listEntries({ companyId, limit: 99 })
          expect(entries).toHaveLength(noted)
          if (!hasChanged) continue
          const { what, label } = operation
          const about = { companyId, feedId: id, userIds, at, action: actions[what] }
          expect(entries[0]).toMatchObject({ ...about, label: what === 'rename' ? null : label })
        }
      }),
      { numRuns },
    )
  })

  it('feeds created together get one audit event each, with their own link; existing feeds get none', async () => {
    const companyId = uniqueId('company')
    const auditEvent: AuditEvent = { at: 1, actor: 'admin', action: 'feed_created' }
    const made = labels.map((label) => {
      const feed = adasFeed({ companyId, userIds: [uniqueId('usr')] })
      return { feed, link: linkTo(feed, { label }) }
    })
    const listed = async (): Promise<unknown[]> => {
      const entries = await audit.listEntries({ companyId, limit: 99 })
      return entries.map(({ feedId, label }) => [feedId, label]).toSorted()
    }
    const all = made.map(({ feed, link }) => [feed.id, link.label])
    await feeds.createFeeds(made.slice(0, 2), undefined, auditEvent)
    expect(await listed()).toEqual(all.slice(0, 2).toSorted())
    await feeds.createMissingFeeds(made.map(anew), auditEvent)
    expect(await listed()).toHaveLength(3)
    await expect(feeds.createFeeds(made, undefined, auditEvent)).rejects.toMatchObject({
      code: 'conflict',
    })
    expect(await listed()).toHaveLength(3)
    expect(await feeds.createOnlyFeed(anew(made[0]!), auditEvent)).toBe(false)
    expect(await listed()).toHaveLength(3)
  })

  it('an operation without an audit event is not recorded', async () => {
    const feed = await makeFeed(store)
    await feeds.changeFeed(feed.id, (now) => ({ ...now, name: 'Other' }))
    await links.endLink(feed.id, 'default', { endsAt: 9e14 })
    expect(await audit.listEntries({ companyId: feed.companyId, limit: 9 })).toEqual([])
  })

  it('an "Away" link passes its limit on to its replacement, but not by its label alone', async () => {
    const feed = await makeFeed(store)
    const away = { hide: ['shifts' as const], detail: 'absent' as const, onlyAway: true }
    const first = linkTo(feed, { label: 'away', choices: { ...away, locale: 'de' } })
    await links.createLink(first)
    const at = feed.createdAt
    const next = linkTo(feed, { label: 'away', createdAt: at + 5 })
    const rotated = await links.rotateLink(next, { label: 'away before', endsAt: at + 9 })
    expect(rotated).toBe(true)
    const choicesOf = async (label: string): Promise<FeedLink['choices'] | undefined> =>
      (await links.listLinks([feed.id])).find((link) => link.label === label)?.choices
    expect(await choicesOf('away')).toMatchObject({ onlyAway: true, detail: 'absent' })
    expect(await choicesOf('away')).toMatchObject({ locale: 'de' })
    await links.endLink(feed.id, 'away', { endsAt: at + 6 })
    await links.createLink(linkTo(feed, { label: 'away', createdAt: at + 7 }))
    expect(await choicesOf('away')).toEqual({})
  })

  function anew({ feed }: { feed: ReturnType<typeof adasFeed> }) {
    const again = { ...feed, id: uniqueId('feed') }
    return { feed: again, link: linkTo(again) }
  }
}
