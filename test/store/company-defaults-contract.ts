import { expect, it } from 'vitest'

import {
  type CompanyDefaults,
  type Feed,
  type KeptDefaults,
  noDefaults,
} from '../../src/domain/feed.ts'
import { openStore } from '../../src/store/open-store.ts'
import { linkTo, makeFeed, uniqueId } from './fixtures.ts'
import type { Stores } from './stores.ts'

const auditEvent = { at: 1, actor: 'admin', action: 'defaults_changed' } as const

/** What `CompanyDefaultsStore` promises, and how feeds are read by it. */
export function testCompanyDefaults({ store, url }: Stores): void {
  const { companyDefaults, feeds } = store
  const set = async (companyId: string, defaults: Partial<CompanyDefaults>) => {
    const changed = (before: KeptDefaults) => ({ ...before, ...defaults })
    return (await companyDefaults.changeDefaults(companyId, changed, auditEvent)).after
  }
  const unnamed = { namedAfter: 'Ada', isLocaleSet: false, ownOptions: {} } as const

  it('each change has the next revision, is noted once, and null changes nothing', async () => {
    const companyId = uniqueId('company')
    expect(await companyDefaults.findDefaults(companyId)).toEqual(noDefaults)
    const first = await set(companyId, { locale: 'de' })
    expect(first).toEqual({ ...noDefaults, locale: 'de', revision: 1 })
    const { before, after } = await companyDefaults.changeDefaults(
      companyId,
      () => null,
      auditEvent,
    )
    expect(after).toBe(before)
    expect(after).toEqual(first)
    const own = { leaves: { detail: 'full' }, reminderMinutes: 5 } as const
    const second = await set(companyId, { own })
    expect(await companyDefaults.findDefaults(companyId)).toEqual(second)
    expect(second).toEqual({ ...first, own, revision: 2 })
    const entries = await store.audit.listEntries({ companyId, limit: 9 })
    expect(entries.map(({ action, feedId }) => [action, feedId])).toEqual([
      ['defaults_changed', null],
      ['defaults_changed', null],
    ])
  })

  it('of changes at the same time on two nodes none is lost', async () => {
    const companyId = uniqueId('company')
    const other = await openStore(url)
    const more = (at: typeof companyDefaults, name: string) =>
      at.changeDefaults(
        companyId,
        (before) => ({ ...before, name: `${before.name ?? ''}${name}` }),
        auditEvent,
      )
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    await Promise.all(
      names.map((name, index) => more((index % 2 ? store : other).companyDefaults, name)),
    )
    await other.close()
    const { name, revision } = await companyDefaults.findDefaults(companyId)
    expect([name?.split('').toSorted(), revision]).toEqual([names, 6])
  })

  it('every reading of a feed follows, and another company does not', async () => {
    const feed = await makeFeed(store, unnamed)
    const elsewhere = await makeFeed(store, unnamed)
    const link = linkTo(feed, { label: 'phone' })
    await store.links.createLink(link)
    const { companyId } = feed
    const own = { leaves: { detail: 'absent' } } as const
    await set(companyId, { locale: 'de', name: '{firstName}: $& Dienste', own })
    const found = [
      await feeds.findFeed(feed.id),
      (await feeds.listFeeds({ companyId, limit: 9 }))[0],
      (await store.links.findByTokenHash(link.tokenHash))?.feed,
    ]
    for (const one of found) {
      expect(one).toMatchObject({ locale: 'de', name: 'Ada: $& Dienste', ownOptions: {} })
      expect(one?.options.leaves.detail).toBe('absent')
    }
    expect(await feeds.findFeed(elsewhere.id)).toEqual(elsewhere)
  })

  it('a change of a feed keeps nothing of the defaults, nor loses a name of an earlier release', async () => {
    const name = 'Arbeitskalender von Ada'
    const old = { ...unnamed, isLocaleSet: true, locale: 'de', name } as const
    for (const feed of [await makeFeed(store, unnamed), await makeFeed(store, old)]) {
      const { id, companyId, revision } = feed
      await set(companyId, { locale: 'de', name: 'Dienste', own: { colors: false } })
      const hide = (before: Feed): Feed => ({ ...before, ownOptions: { tasks: { show: false } } })
      const changed = await feeds.changeFeed(id, hide)
      expect(changed).toMatchObject({ name: 'Dienste', locale: 'de', options: { colors: false } })
      await set(companyId, { locale: null, name: null, own: {} })
      const { name: after, locale, ownOptions } = (await feeds.findFeed(id))!
      expect([after, locale]).toEqual([feed.name, feed.locale])
      expect([ownOptions, changed?.revision]).toEqual([{ tasks: { show: false } }, revision + 1])
    }
  })

  it('open feeds are counted by what they set themselves', async () => {
    const companyId = uniqueId('company')
    const of = { ...unnamed, companyId }
    for (const feed of [of, of, { ...of, namedAfter: null }, { ...of, revokedAt: 1 }]) {
      await makeFeed(store, feed)
    }
    const alike = await companyDefaults.listFeedsAlike(companyId)
    const same = { audience: 'own', isLocaleSet: false, ownOptions: {} }
    expect(alike.toSorted((a, b) => a.count - b.count)).toEqual([
      { ...same, isNamed: true, count: 1 },
      { ...same, isNamed: false, count: 2 },
    ])
  })
}
