/* Defaults of a company reach each feed that does not set the same itself, at its next poll, and no other. */
import fc from 'fast-check'
import { describe, expect, inject } from 'vitest'

import type { ChangedCompanyView } from '../../src/feeds/company-defaults.ts'
import type { FeedView } from '../../src/feeds/feed-view.ts'
import { outputSchemas } from '../../src/http/api/openapi-schemas.ts'
import {
  calendarUrl,
  type FeedAnswer,
  readsFrom,
  startBridge,
  type TestBridge,
} from '../support/bridge/bridge.ts'
import { it as base, type PollAnswer, pollNow } from '../support/bridge/fixtures.ts'
import { readCalendar } from '../support/calendar/read-calendar.ts'
import { leave } from '../support/company/people.ts'
import { anyDatabase } from '../support/database/databases.ts'
import { insertFeeds } from '../support/database/many-feeds.ts'
import { askedBy } from '../support/database/statements.ts'

const it = base.extend('settings', { FEED_FRESH_SECONDS: '86400' })

async function setDefaults(
  bridge: TestBridge,
  defaults: object | null,
): Promise<ChangedCompanyView> {
  const answer = await bridge.api('PATCH', '/api/companies/main', { defaults })
  expect(answer.status).toBe(200)
  return outputSchemas.ChangedCompany.parse(await answer.json())
}

async function showFeed(bridge: TestBridge, { id }: FeedAnswer): Promise<FeedView> {
  const answer = await bridge.api('GET', `/api/feeds/${id}`)
  return outputSchemas.FeedDetails.parse(await answer.json())
}

async function listFeeds(
  bridge: TestBridge,
  query: Record<string, string>,
): Promise<readonly FeedView[]> {
  const answer = await bridge.api('GET', `/api/feeds?${new URLSearchParams(query).toString()}`)
  return outputSchemas.FeedPage.parse(await answer.json()).data
}

/** By title, how often each event has changed. */
function sequencesOf({ text }: PollAnswer): Record<string, number> {
  const events = [...readCalendar(text).values()]
  return Object.fromEntries(events.map(({ summary, sequence }) => [summary, sequence]))
}

function nameIn({ text }: PollAnswer): string | undefined {
  return /^X-WR-CALNAME:(.*)$/m.exec(text)?.[1]?.trim()
}

/** All but the revisions of events. */
function contentOf({ text }: PollAnswer): string {
  return text.replaceAll(/^(SEQUENCE|DTSTAMP|LAST-MODIFIED).*$/gm, '')
}

describe.each(anyDatabase())('on two nodes with one $name', ({ createMigrated }) => {
  const onDatabase = it
    .extend('databaseUrl', () => createMigrated())
    .extend('other', async ({ clock, environment }, { onCleanup }) => {
      const other = await startBridge({ clock, environment })
      onCleanup(() => other.close())
      return other
    })

  onDatabase(
    'a changed default is in the next poll of each feed that does not set it, as ordinary revisions',
    async ({ bridge, other }) => {
      const following = await bridge.createFeed({ userIds: ['usr_ada'] })
      const fixed = await bridge.createFeed({
        userIds: ['usr_ada'],
        name: 'Fixed',
        locale: 'en',
        options: { leaves: { detail: 'type' }, tasks: { show: true } },
      })
      const pollBoth = async (feed: FeedAnswer): Promise<PollAnswer> => {
        const url = calendarUrl(feed)
        const here = await pollNow(url)
        const there = await pollNow(url.replace(/^http:..[^/]+/, other.url))
        expect([there.status, there.text]).toEqual([here.status, here.text])
        return here
      }
      // Ready on both.
      for (let polls = 0; polls < 2; polls += 1) {
        for (const feed of [following, fixed]) await pollBoth(feed)
      }
      const [before, fixedBefore] = [await pollBoth(following), await pollBoth(fixed)]

      await setDefaults(other, { own: { leaves: { detail: 'absent' } } })
      const absent = await pollBoth(following)
      expect(Object.keys(sequencesOf(before))).toContain('Leave lv_ada1')
      expect(sequencesOf(absent)).toMatchObject({ Away: 1, 'Task tsk_ada': 0 })
      await setDefaults(bridge, { own: { tasks: { show: false } }, name: 'Dienste' })
      const named = await pollBoth(following)
      expect([nameIn(named), named.titles.join()]).toEqual([
        'Dienste',
        expect.not.stringMatching('Task'),
      ])
      await setDefaults(other, { locale: 'de', name: '{firstName}: Dienste' })
      const german = await pollBoth(following)
      expect([nameIn(german), german.titles]).toEqual([
        'Ada: Dienste',
        expect.arrayContaining(['Abwesend']),
      ])
      expect((await pollBoth(fixed)).text).toBe(fixedBefore.text)

      await setDefaults(bridge, null)
      const after = await pollBoth(following)
      expect(contentOf(after)).toBe(contentOf(before))
      expect(sequencesOf(after)).toMatchObject({ 'Leave lv_ada1': 3 })
      expect((await pollBoth(fixed)).text).toBe(fixedBefore.text)
      const { ownOptions } = await showFeed(bridge, following)
      expect(ownOptions).toEqual({ shifts: { scheduleIds: ['sch_day'] } })
    },
  )

  onDatabase(
    'a change is one small transaction, however many feeds there are, and says how many it reaches',
    async ({ bridge, databaseUrl }) => {
      await insertFeeds(databaseUrl, 3000, { leaves: { detail: 'type' } })
      const first = { locale: 'de', own: { leaves: { detail: 'full' } } }
      expect((await setDefaults(bridge, first)).reachedFeeds).toBe(3000)
      await setDefaults(bridge, { locale: null })
      const asked = await askedBy(async () => {
        const same = { own: { leaves: { detail: 'absent' } }, others: { colors: false } }
        expect(await setDefaults(bridge, same)).toMatchObject({ reachedFeeds: 0, openFeeds: 3000 })
      })
      expect(asked.commits).toBe(1)
      const written = asked.statements.filter((text) => /^\s*(insert|update|delete)/i.test(text))
      expect(written.map((text) => /"(\w+)"/.exec(text)?.[1])).toEqual([
        'company_defaults',
        'audit',
      ])
      expect(asked.statements.length).toBeLessThan(12)
    },
  )

  onDatabase('feeds are found by the names that they have by default', async ({ bridge }) => {
    await bridge.createFeed({ userIds: ['usr_ada'] })
    await bridge.createFeed({ userIds: ['usr_ada'], name: 'Own name', locale: 'en' })
    const found = async (search: string): Promise<readonly string[]> => {
      return (await listFeeds(bridge, { search })).map(({ name }) => name)
    }
    expect(await found('adas arbeits')).toEqual([])
    await setDefaults(bridge, { locale: 'de' })
    expect(await found('adas arbeits')).toEqual(['Adas Arbeitskalender'])
    await setDefaults(bridge, { name: "{firstName}'s 100 % Ämter" })
    expect(await found("ada's 100 % ä")).toEqual(["Ada's 100 % Ämter"])
    expect(await found('%')).toHaveLength(1)
    expect(await found('{firstName}')).toEqual([])
  })
})

describe('tables sent again', () => {
  const rows = ['usr_ada,,', 'usr_bob,Bob: Dienste,']

  it('make no second calendar, whatever became of the default name and language', async ({
    bridge,
  }) => {
    const send = async (table: readonly string[]): Promise<readonly string[]> => {
      const answer = await fetch(`${bridge.url}/api/feeds`, {
        method: 'POST',
        body: ['userId,name,options', ...table].join('\n'),
        headers: {
          Authorization: 'Bearer an-admin-token-for-tests',
          'Content-Type': 'text/csv',
        },
      })
      const { data } = outputSchemas.CreatedFeeds.parse(await answer.json())
      return data.map(({ status, reason = '' }) => status + reason)
    }
    await setDefaults(bridge, { name: '{firstName}: Dienste' })
    expect(await send(rows)).toEqual(['created', 'created'])
    for (const defaults of [
      { locale: 'de' },
      { name: 'Shifts of {firstName}' },
      { name: null },
      { locale: null },
      { name: 'All the same' },
    ]) {
      await setDefaults(bridge, defaults)
      expect([defaults, ...(await send(rows))]).toEqual([defaults, 'skipped', 'skipped'])
      // As `feed list` shows the name now, and as the program would name it.
      const names = (await listFeeds(bridge, { userId: 'usr_ada' })).map(({ name }) => name)
      expect(names).toHaveLength(1)
      expect(await send([`usr_ada,${names[0]},`, "usr_ada,Ada's work calendar,"])).toEqual([
        'skipped',
        'skipped',
      ])
    }
    await setDefaults(bridge, { own: { reminderMinutes: 15 } })
    const reminder = (minutes: number): string => `usr_ada,,"{""reminderMinutes"": ${minutes}}"`
    expect(await send([reminder(15)])).toEqual(['skipped'])
    expect(await send([reminder(20)])).toEqual(['skippeddiffers in options; use feed update'])
  })
})

describe('what people and staff set themselves', () => {
  it('a person switches a reminder of the company off, and what they leave follows', async ({
    bridge,
    node,
  }) => {
    await setDefaults(bridge, { locale: 'de', own: { reminderMinutes: 15 } })
    const own = node.ownCalendarOf({ companyId: 'main', userId: 'usr_ada' })
    const { feed } = (await own.make('k'.repeat(22)))!
    expect([feed.locale, feed.name, feed.options.reminderMinutes]).toEqual([
      'de',
      'Adas Arbeitskalender',
      15,
    ])
    const now = async (): Promise<readonly unknown[]> => {
      const { locale, options, ownOptions } = (await own.find(feed.id))!.feed
      return [locale, options.reminderMinutes, ownOptions.reminderMinutes]
    }
    await own.change(feed.id, { locale: 'de', reminderMinutes: null })
    expect(await now()).toEqual(['de', null, null])
    await setDefaults(bridge, { locale: null, own: { reminderMinutes: 20 } })
    expect(await now()).toEqual(['en', null, null])
    await own.change(feed.id, { locale: 'en', reminderMinutes: 20 })
    expect(await now()).toEqual(['en', 20, undefined])
    await own.change(feed.id, { locale: 'de', reminderMinutes: 20 })
    await setDefaults(bridge, null)
    expect(await now()).toEqual(['de', null, undefined])
  })

  it('a name or language set by staff stays, and null takes the default of the company', async ({
    bridge,
  }) => {
    await setDefaults(bridge, { locale: 'de', name: '{firstName}: Dienste' })
    const usual = "Ada's work calendar"
    const named = await bridge.createFeed({ userIds: ['usr_ada'], name: usual, locale: 'en' })
    expect(named).toMatchObject({ name: usual, locale: 'en' })
    const team = await bridge.createFeed({ userIds: ['usr_ada', 'usr_bob'] })
    expect(team).toMatchObject({ name: 'Arbeitskalender', locale: 'de' })
    const patch = async (change: object): Promise<unknown> =>
      (await bridge.api('PATCH', `/api/feeds/${named.id}`, change)).json()
    expect(await patch({ locale: null })).toMatchObject({ name: usual, locale: 'de' })
    expect(await patch({ name: null })).toMatchObject({ name: 'Ada: Dienste', locale: 'de' })
    await setDefaults(bridge, null)
    expect(await showFeed(bridge, named)).toMatchObject({ name: usual, locale: 'en' })
  })

  it('the holder of a link chooses within what the company allows now', async ({ bridge }) => {
    const feed = await bridge.createFeed({ userIds: ['usr_ada'] })
    const page = calendarUrl(feed).replace(/\/[^/]+$/, '')
    const choose = async (form: string): Promise<number> => {
      const body = new URLSearchParams(`show=leaves&show=tasks&${form}`)
      const headers = { 'Sec-Fetch-Site': 'same-origin' }
      const answer = await fetch(page, { method: 'POST', body, headers, redirect: 'manual' })
      return answer.status
    }
    expect(await choose('detail=full')).toBe(403)
    await setDefaults(bridge, { own: { leaves: { detail: 'full' } } })
    expect(await choose('detail=type')).toBe(303)
    await setDefaults(bridge, { own: { leaves: { detail: 'absent' } } })
    expect((await pollNow(calendarUrl(feed))).titles).toContain('Away')
    await setDefaults(bridge, { own: { selfService: false } })
    expect(await choose('detail=absent')).toBe(403)
    // No choice counts any more.
    expect((await pollNow(calendarUrl(feed))).titles.join()).toContain('Timesheet')
  })
})

describe('defaults that do not fit a feed', () => {
  it('schedules are taken with a warning if they cannot be checked, or are not active', async ({
    bridge,
    company,
  }) => {
    const own = { shifts: { scheduleIds: ['sch_day', 'sch_old'] } }
    company.records.schedules.push({ id: 'sch_old', name: 'Old', type: 'FIXED', isActive: false })
    const { warnings } = await setDefaults(bridge, { own })
    expect(warnings).toEqual([expect.stringMatching('are not active .*: sch_old')])
    company.faults.set('/schedules', 500)
    const unchecked = await setDefaults(bridge, { others: own })
    expect(unchecked.warnings).toEqual([expect.stringMatching('could not be checked')])
    company.faults.clear()
    // Named by default, they are not filled in.
    const { ownOptions } = await bridge.createFeed({ userIds: ['usr_ada'] })
    expect(ownOptions).toEqual({})
  })

  const people = Array.from({ length: 30 }, (_, index) => `usr_${10 + index}`)
  it.for([
    ['a feed', { userIds: people }],
    ['a team', { team: { managerId: 'usr_mia' } }],
  ] as const)(
    '%s that would show too many shifts is not served, rather than less of it',
    async ([, input], { bridge, clock, company, node, poll }) => {
      const ofMia = { assignedManagerId: 'usr_mia', isActive: true }
      company.records.users = people.map((id) => ({ id, firstName: id, ...ofMia }))
      company.records.users = [...company.records.users, { id: 'usr_mia', isActive: true }]
      const leaves = people.map((id) => [id, [leave(`lv_${id}`, '2026-01-12')]])
      company.records.leaves = Object.fromEntries(leaves)
      await node.store.people.seePeople('main', company.records.users, clock.now())
      for (const connection of node.connections.values()) {
        await node.directory.listRefreshed(connection, () => undefined)
      }
      const team = await bridge.createFeed(input)
      for (let polls = 0; polls < 3; polls += 1) await poll(calendarUrl(team))
      expect((await poll(calendarUrl(team))).titles).toHaveLength(people.length)
      const window = { pastDays: 3660, futureDays: 3660 }
      await setDefaults(bridge, { others: { window, shifts: { show: true } } })
      const refused = await pollNow(calendarUrl(team))
      expect([refused.status, refused.text]).toEqual([
        503,
        expect.stringMatching('too many shifts'),
      ])
      const renamed = await bridge.api('PATCH', `/api/feeds/${team.id}`, { name: 'Team' })
      expect(renamed.status).toBe(200)
      expect((await pollNow(calendarUrl(team))).status).toBe(503)
      await setDefaults(bridge, { others: null })
      expect((await poll(calendarUrl(team))).titles).toHaveLength(people.length)
    },
  )
})

/** Any of the options that change calendars, or null to remove one. */
const anyPatch = fc.record(
  {
    window: groupOf({ pastDays: fc.constantFrom(0, 30), futureDays: fc.constantFrom(20, 60) }),
    leaves: groupOf({
      show: fc.boolean(),
      statuses: fc.constantFrom(['APPROVED'], ['APPROVED', 'PENDING']),
      detail: fc.constantFrom('absent', 'type', 'full'),
      showAs: fc.constantFrom('free', 'busy', 'outOfOffice'),
    }),
    shifts: groupOf({
      show: fc.boolean(),
      scheduleIds: fc.constantFrom([], ['sch_day'], ['sch_late', 'sch_day']),
      rotation: fc.constant({ weeks: [['sch_day'], ['sch_late']], from: '2026-01-05' }),
      duringLeave: fc.constantFrom('hide', 'show'),
      as: fc.constantFrom('hours', 'day'),
    }),
    timesheets: groupOf({ show: fc.boolean(), as: fc.constantFrom('deadline', 'both') }),
    tasks: groupOf({ show: fc.boolean() }),
    reminderMinutes: fc.constantFrom(0, 15, null),
    colors: fc.constantFrom(true, false, null),
    selfService: fc.constantFrom(true, false, null),
  },
  { requiredKeys: [] },
)

function groupOf(members: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<unknown> {
  const orNull = Object.entries(members).map(([name, value]) => [
    name,
    fc.oneof({ weight: 3, arbitrary: value }, fc.constant(null)),
  ])
  const group = fc.record(Object.fromEntries(orNull), { requiredKeys: [] })
  return fc.oneof({ weight: 5, arbitrary: group }, fc.constant(null))
}

const anyLocale = fc.constantFrom('en', 'de', null)
const anyDefaults = fc.record(
  {
    locale: anyLocale,
    name: fc.constantFrom('Calendar of {firstName}', 'Shifts', null),
    own: fc.oneof({ weight: 5, arbitrary: anyPatch }, fc.constant(null)),
    others: fc.oneof({ weight: 5, arbitrary: anyPatch }, fc.constant(null)),
  },
  { requiredKeys: [] },
)
const anyChange = fc.record(
  { options: anyPatch, locale: anyLocale, name: fc.constantFrom('Mine', null) },
  { requiredKeys: [] },
)
const anySteps = fc.array(
  fc.oneof(
    fc.record({ of: fc.constant('company' as const), change: anyDefaults }),
    fc.record({ of: fc.constantFrom('own' as const, 'others' as const), change: anyChange }),
  ),
  { minLength: 1, maxLength: 5 },
)

/** RFC 7396. */
function merged(before: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch
  const result: Record<string, unknown> = { ...Object(before) }
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key]
    else result[key] = merged(result[key], value)
  }
  return result
}

/** Drops empty groups and schedules: those are filled in once, and then they are the feed's own. */
function withoutSchedules(options: object = {}): object {
  const { shifts, ...others } = Object(options)
  const { scheduleIds: _, ...ofShifts } = Object(shifts)
  const groups = Object.entries({ ...others, shifts: ofShifts })
  return Object.fromEntries(groups.filter(([, group]) => JSON.stringify(group) !== '{}'))
}

function nameBy(template: string | undefined, locale: string, audience: string): string {
  const isOwn = audience === 'own'
  if (template !== undefined && (isOwn || !template.includes('{'))) {
    return template.replace('{firstName}', 'Ada')
  }
  if (locale === 'de') return isOwn ? 'Adas Arbeitskalender' : 'Arbeitskalender'
  return isOwn ? "Ada's work calendar" : 'Work calendar'
}

describe('any defaults, any options of feeds, and any changes of both', () => {
  const peers = it
    .extend('without', async ({ clock, company }, { onCleanup }) => {
      const environment = {
        ...readsFrom(company.url),
        WORKFORCE_PROJECTS: 'prj_web',
        WORKFORCE_SCHEDULES: 'sch_day',
        FEED_FRESH_SECONDS: '86400',
      }
      const without = await startBridge({ clock, environment })
      onCleanup(() => without.close())
      return without
    })
    .extend('settings', { FEED_FRESH_SECONDS: '86400', WORKFORCE_SCHEDULES: 'sch_day' })

  peers(
    'a calendar equals, byte for byte, that of a feed which sets all of it itself',
    async ({ bridge, without, company }) => {
      company.records.schedules = ['day', 'late'].map((name) => ({
        id: `sch_${name}`,
        name,
        type: 'FIXED',
        isActive: true,
        pattern: { monday: { start: name === 'day' ? '09:00' : '14:00', end: '17:00' } },
      }))
      const audiences = { own: ['usr_ada'], others: ['usr_ada', 'usr_bob'] } as const
      const numRuns = inject('isThorough') ? 300 : 3
      const steps = fc.asyncProperty(anySteps, async (history) => {
        for (const [audience, userIds] of Object.entries(audiences)) {
          const [feed, whole] = await Promise.all(
            [bridge, without].map((node) => node.createFeed({ userIds, audience })),
          )
          let defaults = Object({})
          let own = Object({})
          await setDefaults(bridge, null)
          for (const { of, change } of history) {
            if (of === 'company') {
              defaults = merged(defaults, change)
              await setDefaults(bridge, change)
            } else if (of === audience) {
              own = merged(own, change)
              const changed = await bridge.api('PATCH', `/api/feeds/${feed!.id}`, change)
              expect(changed.status).toBe(200)
            }
            const here = await pollNow(calendarUrl(feed!))
            const locale = own.locale ?? defaults.locale ?? 'en'
            const name = own.name ?? nameBy(defaults.name, locale, audience)
            const { ownOptions } = await showFeed(bridge, feed!)
            expect(withoutSchedules(ownOptions)).toEqual(withoutSchedules(own.options))
            const options = merged(defaults[audience] ?? {}, ownOptions)
            const address = `/api/feeds/${whole!.id}`
            for (const patch of [{ options: null }, { name, locale, options }]) {
              expect((await without.api('PATCH', address, patch)).status).toBe(200)
            }
            const there = await pollNow(calendarUrl(whole!))
            expect([here.status, here.text]).toEqual([there.status, there.text])
          }
          for (const [node, { id }] of [
            [bridge, feed!],
            [without, whole!],
          ] as const) {
            await node.api('DELETE', `/api/feeds/${id}`)
          }
        }
      })
      await fc.assert(steps, { numRuns })
    },
  )
})
