/* A person's own calendar, on two nodes of one database at once, and links of it that only say "Away". */
import fc from 'fast-check'
import { describe, expect, inject } from 'vitest'

import { commandLine } from '../../../src/domain/access/staff.ts'
import { type AppError, asAppError } from '../../../src/domain/errors.ts'
import type { Locale } from '../../../src/domain/feed.ts'
import type { FeedLink } from '../../../src/domain/link.ts'
import { linkAddresses } from '../../../src/feeds/feed-view.ts'
import { newLink } from '../../../src/feeds/link-replacement.ts'
import { OwnCalendar, type OwnSettings } from '../../../src/feeds/self-service/own-calendar.ts'
import type { TestBridge } from '../../support/bridge/bridge.ts'
import { it as base } from '../../support/bridge/fixtures.ts'
import { openNode, type TestNode } from '../../support/bridge/node.ts'
import { fromOurPage, keyOf } from '../../support/bridge/own-page.ts'
import { silentLog } from '../../support/bridge/silent-log.ts'
import { leave } from '../../support/company/people.ts'
import { anyDatabase } from '../../support/database/databases.ts'

const person = { companyId: 'main', userId: 'usr_ada' }
const key = keyOf('k')

interface TwoNodes {
  readonly calendars: readonly [OwnCalendar, OwnCalendar]
  readonly node: TestNode
  readonly nodes: readonly [TestNode, TestNode]
}

const it = base
  .extend('two', async ({ clock, environment }, { onCleanup }): Promise<TwoNodes> => {
    const nodes = [await openNode(environment, clock), await openNode(environment, clock)] as const
    onCleanup(async () => {
      for (const node of nodes) await node.close()
    })
    const [one, other] = nodes
    return { calendars: [one.ownCalendarOf(person), other.ownCalendarOf(person)], node: one, nodes }
  })
  .extend('own', ({ node }) => node.ownCalendarOf(person))

async function refusal(made: Promise<unknown>): Promise<AppError['code'] | undefined> {
  return made.then(
    () => undefined,
    (error: unknown) => asAppError(error)?.code,
  )
}

describe.each(anyDatabase())('own calendar on $name', ({ createMigrated }) => {
  it.override('databaseUrl', createMigrated)

  it('a button pressed repeatedly at once on two nodes acts once and gives the same answer', async ({
    two: { calendars, node },
  }) => {
    const both = <T>(press: (own: OwnCalendar) => Promise<T>): Promise<readonly T[]> =>
      Promise.all([...calendars, ...calendars].map(press))
    const tokens = new Set((await both((own) => own.make(key))).map((made) => made?.token))
    expect([...tokens]).toEqual([expect.stringMatching(/^cfb_/)])
    const [feed, ...others] = await calendars[0].list()
    expect(others).toEqual([])
    const { id } = feed!
    const wanted = { label: 'phone', isOnlyAway: false, key }
    const added = await both((own) => own.addLink(id, wanted))
    expect(new Set(added.map(({ token }) => token)).size).toBe(1)
    const replaced = await both((own) => own.replaceLink(id, 'phone', key))
    expect(new Set(replaced.map(({ token }) => token)).size).toBe(1)
    const ended = await both((own) => refusal(own.endLink(id, 'phone')))
    expect(ended.toSorted()).toEqual(['not_found', 'not_found', 'not_found', undefined])
    const entries = await node.access.audit.listEntries({ userId: 'usr_ada', limit: 100 })
    expect(entries.map(({ action }) => action).toSorted()).toEqual([
      'feed_created',
      'link_created',
      'link_ended',
      'link_replaced',
    ])
  })

  it('two buttons pressed at the same instant create one calendar', async ({
    two: { calendars },
  }) => {
    const made = await Promise.all(calendars.map((own, at) => own.make(keyOf(`${at}`))))
    expect(made.filter((one) => one !== undefined)).toHaveLength(1)
    expect(await calendars[1].list()).toHaveLength(1)
  })

  it('a calendar that HR ends while the button is pressed stays ended on both nodes', async ({
    two: { calendars, node },
  }) => {
    const [one, other] = calendars
    let { id } = (await one.make(key))!.feed
    const hr = node.administrationBy(commandLine)
    for (let round = 0; round < 10; round += 1) {
      const press = (own: OwnCalendar): Promise<unknown> => refusal(own.make(nextKey()))
      const [before, , after] = await Promise.all([
        press(one),
        hr.changes.revoke(id, round % 2 === 0),
        press(other),
      ])
      for (const code of [before, after]) expect([undefined, 'forbidden']).toContain(code)
      expect(await Promise.all(calendars.map((own) => own.list()))).toEqual([[], []])
      expect(await Promise.all(calendars.map(press))).toEqual(['forbidden', 'forbidden'])
      // Until HR makes another.
      id = (await hr.creation.create({ userIds: [person.userId] })).feed.id
      expect(await other.list()).toMatchObject([{ id }])
    }
  })

  it('parallel creation on two nodes keeps the limits of 20 open links and 50 links a day', async ({
    clock,
    two: { calendars, node },
  }) => {
    const { feed } = (await calendars[0].make(key))!
    const { links } = node.store
    await fc.assert(
      fc.asyncProperty(crowds, async ({ going, ended, presses }) => {
        const now = await clock.advance(2 * 86_400_000).then(() => clock.now())
        for (const { label } of (await calendars[0].find(feed.id))!.links) {
          await links.endLink(feed.id, label, { endsAt: now - 1 })
        }
        const seed = (label: string, changes: Partial<FeedLink> = {}): Promise<void> => {
          const { link } = newLink({ feedId: feed.id, label, createdAt: now })
          return links.createLink({ ...link, ...changes })
        }
        const ends = { endsAt: now, endingSince: now }
        for (let at = 0; at < going; at += 1) await seed(`on ${at}`)
        for (let at = 0; at < ended; at += 1) await seed(`off ${at} of ${now}`, ends)
        const made = presses.map(({ isMore, on }, at) =>
          isMore
            ? calendars[on].addLink(feed.id, { label: `more ${at}`, ...plain, key: nextKey() })
            : calendars[on].replaceLink(feed.id, `on ${at % going}`, nextKey()),
        )
        const refusals = await Promise.all(made.map(refusal))
        const all = await links.listLinks([feed.id])
        const ofToday = all.filter(({ createdAt }) => createdAt === now).length
        const goOn = all.filter(({ endsAt }) => endsAt === null).length
        expect(goOn).toBeLessThanOrEqual(20)
        expect(ofToday).toBeLessThanOrEqual(50)
        expect(ofToday).toBe(going + ended + refusals.filter((code) => !code).length)
        // Nobody is refused for fewer.
        if (refusals.includes('invalid')) expect(goOn).toBe(20)
        if (refusals.includes('too_many_requests')) expect(ofToday).toBe(50)
        expect(new Set([...refusals, ...usual])).toEqual(new Set(usual))
      }),
      { numRuns: inject('isThorough') ? 60 : 3, examples: fullHouses.map((crowd) => [crowd]) },
    )
  })

  it('choices of a link and own settings change at most 50 times a day, even on two nodes', async ({
    clock,
    two: { calendars, nodes },
  }) => {
    const [{ access, store }] = nodes
    const { id } = (await calendars[0].make(key))!.feed
    await calendars[0].addLink(id, { label: 'phone', ...plain, key })
    const [first, phone] = await store.links.listLinks([id])
    const choose = async (link: FeedLink, at: number): Promise<unknown> => {
      const { holding, links } = nodes[at % 2]!
      const open = await links.links.findByTokenHash(link.tokenHash)
      return refusal(holding.choose(open!, { show: 'leaves', reminderMinutes: `${at}` }))
    }
    const set = (at: number): Promise<unknown> =>
      refusal(calendars[at % 2]!.change(id, { locale: 'de', reminderMinutes: at }))
    const often = async (change: (at: number) => Promise<unknown>): Promise<void> => {
      const codes = await Promise.all(Array.from({ length: 16 }, (_, at) => change(at + 1)))
      for (let at = 17; at <= 44; at += 1) codes.push(await change(at))
      const more = Array.from({ length: 16 }, (_, at) => change(at + 45))
      codes.push(...(await Promise.all(more)))
      const done = codes.filter((code) => code === undefined)
      const refused = codes.filter((code) => code === 'too_many_requests')
      expect([done.length, refused.length]).toEqual([50, 10])
    }
    await often((at) => choose(first!, at))
    // Of another link, and what changes nothing, neither counts nor is refused.
    const { link } = (await store.links.findByTokenHash(first!.tokenHash))!
    expect(await choose(first!, Number(link.choices.reminderMinutes))).toBeUndefined()
    expect(await choose(phone!, 1)).toBeUndefined()
    await often(set)
    const entries = await access.audit.listEntries({ feedId: id, limit: 500 })
    const changes = entries.map(({ action, label }) => `${action} ${label}`)
    expect(changes.filter((one) => one === 'choices_changed default')).toHaveLength(50)
    expect(changes.filter((one) => one === 'choices_changed phone')).toHaveLength(1)
    expect(changes.filter((one) => one === 'feed_changed null')).toHaveLength(50)
    await clock.advance(86_400_000)
    expect([await choose(first!, 99), await set(99)]).toEqual([undefined, undefined])
  })

  it('own settings follow the permission of HR at the time of writing', async ({
    clock,
    two: { calendars, node },
  }) => {
    const { id } = (await calendars[0].make(key))!.feed
    const { feeds, links } = node.store
    const hr = node.administrationBy(commandLine).changes
    /** What one sets while HR does, between the reading of it and the writing. */
    const set = async (settings: OwnSettings, patch: object): Promise<unknown> => {
      const by = { actor: 'person:usr_ada', role: 'reader', companyId: 'main' } as const
      const meeting = {
        listFeeds: feeds.listFeeds.bind(feeds),
        changeFeed: async (...change: Parameters<typeof feeds.changeFeed>) => {
          await hr.update(id, patch)
          return feeds.changeFeed(...change)
        },
      }
      const { creation } = node.administrationBy(by)
      const deps = { feeds: meeting, links, creation, by, clock, log: silentLog }
      const code = await refusal(new OwnCalendar(deps, person).change(id, settings))
      const { locale, options } = (await feeds.findFeed(id))!
      return [code, locale, options.reminderMinutes, options.selfService]
    }
    const german = { locale: 'de', reminderMinutes: null } as const
    const later = { options: { reminderMinutes: 60 } }
    expect(await set(german, later)).toEqual([undefined, 'de', null, true])
    const off = { options: { selfService: false, reminderMinutes: 30 } }
    const english = { locale: 'en', reminderMinutes: 15 } as const
    expect(await set(english, off)).toEqual(['forbidden', 'de', 30, false])
    const entries = await node.access.audit.listEntries({ feedId: id, limit: 9 })
    const changed = entries.filter(({ action }) => action === 'feed_changed')
    expect(changed.map(({ actor }) => actor).toSorted()).toEqual([
      'command-line',
      'command-line',
      'person:usr_ada',
    ])
  })
})

const plain = { isOnlyAway: false }
/** Among them those of a label that another has taken meanwhile, or replaced. */
const usual = [undefined, 'invalid', 'too_many_requests', 'not_found']

interface Crowd {
  readonly going: number
  readonly ended: number
  readonly presses: readonly { readonly isMore: boolean; readonly on: 0 | 1 }[]
}

const crowds: fc.Arbitrary<Crowd> = fc.record({
  going: fc.integer({ min: 1, max: 20 }),
  ended: fc.integer({ min: 20, max: 30 }),
  presses: fc.array(fc.record({ isMore: fc.boolean(), on: fc.constantFrom(0, 1) }), {
    minLength: 4,
    maxLength: 10,
  }),
})

/** Two may have one more, and eight want to. */
const fullHouses: readonly Crowd[] = [
  { going: 18, ended: 0, presses: pressed(true) },
  { going: 8, ended: 40, presses: pressed(true) },
  { going: 8, ended: 40, presses: pressed(false) },
]

function pressed(isMore: boolean): Crowd['presses'] {
  return ([0, 1, 0, 1, 0, 1, 0, 1] as const).map((on) => ({ isMore, on }))
}

it('the own calendar is found among any number of feeds about several people', async ({
  bridge,
  node,
  own,
}) => {
  await bridge.createFeed({ userIds: ['usr_ada', 'usr_bob'] })
  const [feed] = await node.store.feeds.listFeeds({ limit: 1 })
  const many = Array.from({ length: 120 }, (_, at) => {
    const more = { ...feed!, id: `feed_team${at}` }
    return { feed: more, link: newLink({ feedId: more.id, label: 'team', createdAt: 1 }).link }
  })
  await node.store.feeds.createFeeds(many)
  const made = await own.make(key)
  expect(await own.list()).toMatchObject([{ id: made!.feed.id }])
})

it('the number of new links within a day is limited', async ({ clock, own }) => {
  const { id } = (await own.make(key))!.feed
  for (let at = 10; at < 59; at += 1) await own.replaceLink(id, 'default', `${at}`.padEnd(43, 'k'))
  const more = (): Promise<unknown> => own.replaceLink(id, 'default', keyOf('m'))
  expect(await refusal(more())).toBe('too_many_requests')
  const wanted = { label: 'phone', isOnlyAway: false, key }
  expect(await refusal(own.addLink(id, wanted))).toBe('too_many_requests')
  await clock.advance(86_400_000)
  expect(await refusal(more())).toBeUndefined()
})

describe('a link that only says “Away”', () => {
  it('never says more, whatever its holder and HR do', async ({ bridge, company, own, poll }) => {
    company.records.leaves['usr_ada'] = [secretLeave]
    const { feed, token: all } = (await own.make(key))!
    await own.addLink(feed.id, { label: 'family', isOnlyAway: false, key })
    await poll(addressOf(bridge, all))
    await own.endLink(feed.id, 'family')
    const family = { label: 'family', isOnlyAway: true, key }
    let latest = addressOf(bridge, (await own.addLink(feed.id, family)).token)
    const held = new Set([latest])
    let shown = 0
    const look = async (address: string): Promise<void> => {
      const { status, text, titles } = await poll(address)
      const about = [text, await textOf(jsonOf(address)), await textOf(pageOf(address))].join()
      expect(about).not.toMatch(/Spinal|Moving|SICK|lv_ada|Task tsk/)
      if (status !== 200) return expect(status).toBe(410)
      expect(titles.filter((title) => !titlesOfAway.test(title))).toEqual([])
      shown += titles.filter((title) => title.startsWith('A')).length
    }
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 4 }), async (several) => {
        for (const step of several) {
          latest = (await act({ bridge, own, feedId: feed.id, latest }, step)) ?? latest
          held.add(latest)
          for (const address of [...held].slice(-2)) await look(address)
        }
      }),
      { numRuns: 5, endOnFailure: true, examples: [[whatHrMayDo]] },
    )
    expect((await poll(latest)).status).toBe(200)
    expect(shown).toBeGreaterThan(0)
    expect((await poll(addressOf(bridge, all))).status).toBe(200)
  })
})

const secretLeave = leave('lv_secret', '2026-01-14', {
  leaveType: { name: 'Spinal surgery', category: 'SICK' },
  reason: 'Moving house',
})
/** And that of the event that tells of the end of a link which HR has put another in the place of. */
const titlesOfAway = /^(Away|Abwesend|This link ends on .*|Dieser Link endet am .*)$/

const choices = {
  show: fc.subarray(['leaves', 'leaves', 'shifts', 'timesheets', 'tasks', 'invoices']),
  detail: fc.constantFrom('absent', 'type', 'full'),
  locale: fc.constantFrom('en', 'de'),
  reminderMinutes: fc.constantFrom('none', '15'),
  from: fc.constantFrom('show=leaves&detail=absent', 'show=shifts&detail=full', ''),
}
const choice = fc.oneof(
  fc.record(choices, { requiredKeys: [] }),
  fc.record({ show: fc.constant(['leaves']), detail: choices.detail, locale: choices.locale }),
  fc.constant({ show: ['leaves'], onlyAway: 'no' }),
)
const options = fc.oneof(
  fc.record({ selfService: fc.boolean() }),
  fc.record({ leaves: fc.record({ detail: fc.constantFrom('type', 'full', 'absent') }) }),
  fc.record({ tasks: fc.record({ show: fc.boolean() }) }),
)

type Step =
  | { readonly choose: object }
  | { readonly patch: object }
  | { readonly rotate: number }
  | { readonly settings: Locale }
  | 'replace'
  | 'replace on its page'

const steps: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: fc.record({ choose: choice }), weight: 4 },
  { arbitrary: fc.record({ patch: options }), weight: 4 },
  fc.constantFrom<Step[]>('replace', 'replace on its page', { rotate: 0 }, { rotate: 7 }),
  fc.record({ settings: choices.locale }) as fc.Arbitrary<Step>,
)

/** All that could show more, whatever else comes. */
const whatHrMayDo: Step[] = [
  { patch: { leaves: { detail: 'full' } } },
  { choose: { show: ['leaves'], detail: 'full' } },
  { patch: { selfService: false } },
  'replace on its page',
  { rotate: 7 },
  { patch: { selfService: true } },
]

interface Stage {
  readonly bridge: TestBridge
  readonly own: OwnCalendar
  readonly feedId: string
  /** The address of the link that goes on. */
  readonly latest: string
}

/** Takes that step; gives the new address of the link where it has one. */
async function act(stage: Stage, step: Step): Promise<string | undefined> {
  const { bridge, own, feedId, latest } = stage
  if (step === 'replace') {
    return addressOf(bridge, (await own.replaceLink(feedId, 'family', nextKey())).token)
  }
  if (step === 'replace on its page') {
    const reply = await send(latest, { action: 'replace', confirm: 'yes' })
    return /http:[^"\s<]*cfb_[\w-]{43}[^"\s<]*\.ics/.exec(await reply.text())?.[0]
  }
  if ('rotate' in step) {
    const rotation = { label: 'family', graceDays: step.rotate }
    const answer = await bridge.api('POST', `/api/feeds/${feedId}/rotations`, rotation)
    return ((await answer.json()) as { readonly url?: string }).url
  }
  if ('choose' in step) await send(latest, step.choose)
  if ('patch' in step) await bridge.api('PATCH', `/api/feeds/${feedId}`, { options: step.patch })
  if ('settings' in step) {
    await refusal(own.change(feedId, { locale: step.settings, reminderMinutes: 5 }))
  }
  return undefined
}

let used = 0

/** Another one each time. */
function nextKey(): string {
  used += 1
  return `${used}`.padEnd(43, '-')
}

function addressOf({ url }: TestBridge, token: string): string {
  return linkAddresses(url, token, 'Ada').url
}

function pageOf(calendar: string): string {
  return calendar.replace(/\/[^/]*$/, '')
}

function jsonOf(calendar: string): string {
  return calendar.replace(/ics$/, 'json')
}

async function textOf(address: string): Promise<string> {
  return (await fetch(address)).text()
}

/** Sends a form of the link's page. */
function send(calendar: string, fields: object): Promise<Response> {
  const pairs = Object.entries(fields).flatMap(([name, value]: [string, unknown]) =>
    [value].flat().map((one): [string, string] => [name, String(one)]),
  )
  const body = new URLSearchParams(pairs)
  const sent = { method: 'POST', body, headers: fromOurPage, redirect: 'manual' } as const
  return fetch(pageOf(calendar), sent)
}
