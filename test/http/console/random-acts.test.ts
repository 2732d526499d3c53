/* Whatever staff of all roles and companies do in whatever order, the console does that alone, and notes it. */
import fc from 'fast-check'
import { expect, inject, it } from 'vitest'

import type { Feed } from '../../../src/domain/feed.ts'
import type { Store } from '../../../src/store/open-store.ts'
import { type ConsoleSession, enterConsole } from '../../support/bridge/console.ts'
import { pollNow } from '../../support/bridge/fixtures.ts'
import { startTwoCompanies, type TwoCompanies } from '../../support/bridge/two-companies.ts'
import {
  type Act,
  actKinds,
  type Calendar,
  companyIds,
  ConsoleModel,
  isWorking,
  linkIn,
  lookReason,
  type Outcome,
  people,
  roles,
  userIds,
} from '../../support/console/console-model.ts'

/** An act, and which calendar its form is about. */
interface Step extends Act {
  readonly which: number
  /** Whether it is one that the page does not show. */
  readonly isForeign: boolean
}

function sometimes(weight: number): fc.Arbitrary<boolean> {
  const [no, yes] = [fc.constant(false), fc.constant(true)]
  return fc.oneof({ weight: 8 - weight, arbitrary: no }, { weight, arbitrary: yes })
}

/** Most often staff who may do it, with one of the acts of which several go together. */
const anyStep: fc.Arbitrary<Step> = fc.record({
  kind: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('end', 'link', 'rotate', 'reopen') },
    { weight: 2, arbitrary: fc.constantFrom('revoke', 'reopen-feed', 'revoke-all') },
    { weight: 1, arbitrary: fc.constantFrom(...actKinds) },
  ),
  role: fc.constantFrom('support', ...roles),
  of: fc.constantFrom(null, null, ...companyIds),
  companyId: fc.constantFrom(...companyIds),
  userId: fc.constantFrom('usr_ada', ...userIds),
  label: fc.constantFrom('default', 'phone'),
  isLeaked: sometimes(2),
  isStale: sometimes(1),
  which: fc.nat(20),
  isForeign: sometimes(1),
})

const anySteps = fc.array(anyStep, { minLength: 1, maxLength: 120, size: 'max' })

/** Everybody has a calendar with two links. */
const firstSteps: readonly Step[] = (['make', 'link'] as const).flatMap((kind) =>
  people.map((person) => ({
    ...person,
    kind,
    role: 'admin',
    of: null,
    label: 'phone',
    isLeaked: false,
    isStale: false,
    which: 0,
    isForeign: false,
  })),
)

it('Changes what each act is about and nothing else, notes it, and shows each address once', async () => {
  await fc.assert(
    fc.asyncProperty(anySteps, async (steps) => {
      const staff = await startStaff()
      try {
        for (const step of [...firstSteps, ...steps]) await take(step, staff)
        await pollAll(staff)
      } finally {
        await staff.two.close()
      }
    }),
    { numRuns: inject('isThorough') ? 200 : 4 },
  )
})

interface Staff {
  readonly two: TwoCompanies
  readonly store: Store
  readonly model: ConsoleModel
  /** By the name of the token. */
  readonly sessions: ReadonlyMap<string, ConsoleSession>
}

function tokenName({ role, of }: Pick<Act, 'role' | 'of'>): string {
  return `${role}-${of ?? 'all'}`
}

async function startStaff(): Promise<Staff> {
  const two = await startTwoCompanies()
  const { store } = await two.bridge.node()
  for (const { companyId, userId } of people) {
    await store.people.seePeople(companyId, [{ id: userId }], two.clock.now())
  }
  const sessions = new Map<string, ConsoleSession>()
  for (const role of roles) {
    for (const of of [null, ...companyIds]) {
      const token = await two.token(tokenName({ role, of }), role, of ?? undefined)
      sessions.set(tokenName({ role, of }), await enterConsole(two.bridge, token))
    }
  }
  return { two, store, model: new ConsoleModel(), sessions }
}

/** Sends the form of that step: its reply, the open links and the audit log must be as in the model. */
async function take(step: Step, { two, store, model, sessions }: Staff): Promise<void> {
  // What this step notes has a time of its own.
  await two.clock.advance(1000)
  const now = two.clock.now()
  const calendar = pick(model, step)
  const { address, fields } = formOf(step, calendar, { model, now })
  const { status, entries, shown } = model.apply(step, calendar, now)
  const reply = await sessions.get(tokenName(step))!.send(address, fields)
  const tokens = await tokensIn(reply)
  const feeds = await nameNew(store, model)
  expect({
    step,
    status: reply.status,
    addresses: tokens.length,
    noted: await listNoted(store, now),
    open: await listOpen(store, feeds),
  }).toEqual({
    step,
    status,
    addresses: shown ? 1 : 0,
    noted: entries.map((entry) => noted(step, ...entry)).toSorted(),
    open: model.listOpen().toSorted(),
  })
  if (shown) shown.token = tokens[0] ?? ''
}

/** The calendar that the form is about; undefined if there is none. */
function pick(model: ConsoleModel, step: Step): Calendar | undefined {
  const own = model.of(step)
  const all = step.isForeign ? model.calendars.filter((other) => !own.includes(other)) : own
  return all[step.which % all.length]
}

interface Shown {
  readonly model: ConsoleModel
  readonly now: number
}

function formOf(step: Step, calendar: Calendar | undefined, { model, now }: Shown) {
  const { kind, companyId, userId, label, isLeaked, isStale } = step
  const form = { feed: calendar?.id ?? 'none', link: label, label, days: '0', act: kind }
  const createdAt = linkIn(calendar, label)?.createdAt ?? 0
  const person = `/people/${userId}`
  const forms = {
    look: [`${person}/calendar`, { ...form, reason: lookReason }],
    'revoke-all': [
      '/people',
      {
        act: 'confirm',
        kind: 'revoke',
        key: `everybody-at-${now}`,
        calendar: model.calendars.map((each) => `${each.id} ${each.userId}`),
      },
    ],
    'hand-out': [
      '/hand-out',
      { act: 'make', people: userId, key: `${now}`, delivery: 'csv', show: 'leaves', locale: 'en' },
    ],
    other: [
      person,
      {
        ...form,
        version: String(isStale ? createdAt - 1 : createdAt),
        ...(isLeaked && { leaked: 'yes' }),
      },
    ],
  } as const
  const [path, fields] = kind in forms ? forms[kind as keyof typeof forms] : forms.other
  return { address: `/console${path}?company=${companyId}`, fields }
}

async function tokensIn(reply: Response): Promise<readonly string[]> {
  return [...new Set((await reply.text()).match(/cfb_[\w-]{43}/g))]
}

/** Gives the model the id of the calendar that was made last. */
async function nameNew(store: Store, model: ConsoleModel): Promise<readonly Feed[]> {
  const feeds = await store.feeds.listFeeds({ limit: 1000 })
  const known = new Set(model.calendars.map(({ id }) => id))
  const made = model.calendars.find(({ id }) => id === '')
  if (made) made.id = feeds.find(({ id }) => !known.has(id))?.id ?? ''
  return feeds
}

async function listOpen({ links }: Store, feeds: readonly Feed[]): Promise<readonly string[]> {
  const unrevoked = feeds.filter(({ revokedAt }) => revokedAt === null)
  const open = new Map(unrevoked.map((feed) => [feed.id, feed]))
  const all = await links.listLinks([...open.keys()])
  return all
    .filter(({ endsAt }) => endsAt === null)
    .map(({ feedId, label }) => {
      const { companyId, userIds: about } = open.get(feedId)!
      return [companyId, about, feedId, label].join(' ')
    })
    .toSorted()
}

async function listNoted({ audit }: Store, since: number): Promise<readonly string[]> {
  const entries = await audit.listEntries({ since, limit: 1000 })
  return entries
    .map(({ actor, action, companyId, userIds: about, feedId, label }) =>
      [actor, action, companyId, about, feedId, label ?? ''].join(' '),
    )
    .toSorted()
}

function noted(act: Act, ...[action, about, label = '']: Outcome['entries'][number]): string {
  const { companyId, userId, id } = about
  const scope = act.of === null ? '' : `${act.of}/`
  return [`token:${scope}${tokenName(act)}`, action, companyId, userId, id, label].join(' ')
}

/** Every address that was shown works as long as its link is open. */
async function pollAll({ two, model }: Staff): Promise<void> {
  for (const calendar of model.calendars) {
    for (const link of calendar.links) {
      const { status } = await pollNow(`${two.bridge.url}/feeds/${link.token}/calendar.ics`)
      expect([link.token, status]).toEqual([link.token, isWorking(calendar, link) ? 200 : 410])
    }
  }
}
