/* One person: their calendars and links, what programs have of them, and what support can do about it. */
import type { Invitation } from '../../access/mail/invitations.ts'
import { mayDo } from '../../domain/access/staff.ts'
import { asAppError } from '../../domain/errors.ts'
import type { Feed } from '../../domain/feed.ts'
import { graceDaysMax } from '../../domain/link.ts'
import { dayMs } from '../../domain/world.ts'
import { feedPatchSchema, linkLabelField } from '../../feeds/feed-input.ts'
import type { LinkView } from '../../feeds/feed-view.ts'
import { activeLinks } from '../../feeds/link-replacement.ts'
import { exportPerson } from '../../feeds/person-data.ts'
import { isolated } from '../../text/plain-text.ts'
import { takesAccounts } from '../pages/account.ts'
import { timesOf } from '../pages/calendar-view.ts'
import type { PageDeps } from '../pages/page.ts'
import { viewSubscription } from '../pages/subscribe.ts'
import { fill } from '../pages/words/words.ts'
import {
  type ConsoleHandler,
  type Form,
  incomplete,
  readForm,
  RefusedInWords,
  redirectDone,
  sendConsole,
  type Visit,
} from './console.ts'
import { openCalendar } from './person-calendar.ts'
import { patchOf } from './person-choices.ts'
import { FormFault, type Refused, sendPerson } from './person-form.ts'
import { findPerson, type FoundPerson, isOpen, personPath, sayLabel } from './person-view.ts'

type Route =
  | 'GET /console/people/{userId}'
  | 'POST /console/people/{userId}'
  | 'POST /console/people/{userId}/calendar'

export function personHandlers(deps: PageDeps): Readonly<Record<Route, ConsoleHandler>> {
  return {
    'GET /console/people/{userId}': async (visit) =>
      sendPerson(deps, visit, await findPerson(deps, visit)),
    'POST /console/people/{userId}': (visit) => change(deps, visit),
    'POST /console/people/{userId}/calendar': (visit) => openCalendar(deps, visit),
  }
}

interface Act {
  readonly deps: PageDeps
  readonly visit: Visit
  readonly person: FoundPerson
  readonly form: Form
}

const acts: ReadonlyMap<string, (act: Act) => Promise<void>> = new Map([
  ['make', makeFeed],
  ['link', makeLink],
  ['rotate', rotate],
  ['end', endLink],
  ['reopen', reopenLink],
  ['revoke', revoke],
  ['reopen-feed', reopenFeed],
  ['choices', choose],
  ['data', download],
])

async function change(deps: PageDeps, visit: Visit): Promise<void> {
  const person = await findPerson(deps, visit)
  const form = await readForm(visit)
  const act = acts.get(form.text('act'))
  if (!act) throw incomplete(visit)
  try {
    await act({ deps, visit, person, form })
  } catch (error) {
    if (!(error instanceof FormFault)) throw error
    await sendRefused(deps, visit, person, form, error)
  }
}

async function sendRefused(
  deps: PageDeps,
  visit: Visit,
  person: FoundPerson,
  form: Form,
  fault: FormFault,
): Promise<void> {
  const refused: Refused = {
    act: form.text('act'),
    feed: form.text('feed'),
    link: form.text('link'),
    field: fault.field,
    about: fault.about,
    form,
  }
  visit.response.status(fault.status)
  return sendPerson(deps, visit, person, refused)
}

/** The calendar of this person alone that a form is about. */
function feedOf({ person, form, visit }: Act): Feed {
  const feed = person.own.find(({ id }) => id === form.text('feed'))
  if (!feed) throw new RefusedInWords('not_found', visit.words.person.unknownFeed)
  return feed
}

async function makeFeed(act: Act): Promise<void> {
  const { deps, visit, person } = act
  const { creation } = deps.administrationBy(visit.by)
  const { companyId, words } = visit
  if (person.own.some(isOpen)) throw new FormFault('make', 'has_calendar', 409)
  const wanted = { companyId, userIds: [person.userId] }
  const draft = await creation.drafts().draft(wanted).catch(sayFault('make', 'not_known'))
  const [made] = await creation.makeMissing([draft])
  if (!made) throw new FormFault('make', 'has_calendar', 409)
  const { feed, page } = made
  const notes = draft.warnings.length > 0 ? [words.person.made.unchecked] : []
  const label = 'default'
  await sendMade(act, { feed, label, page, text: words.person.made.feed, notes })
}

async function makeLink(act: Act): Promise<void> {
  const { deps, visit, form } = act
  const feed = feedOf(act)
  const given = form.text('label')
  if (given === '') throw new FormFault('label', 'label_missing')
  const label = linkLabelField.safeParse(given).data
  if (label === undefined) throw new FormFault('label', 'label_unfit')
  const { feedLinks } = deps.administrationBy(visit.by)
  const link = await feedLinks
    .create(feed.id, { label })
    .catch(sayFault('label', 'label_in_use', 'conflict'))
  await sendMade(act, {
    ...madeLink(feed, link),
    text: visit.words.person.made.link,
    notes: [],
    isForAccount: form.has('account') && takesAccounts(deps.publicUrl),
  })
}

async function rotate(act: Act): Promise<void> {
  const { deps, visit, form } = act
  const feed = feedOf(act)
  const { made } = visit.words.person
  const graceDays = /^\d{1,3}$/.test(form.text('days')) ? Number(form.text('days')) : NaN
  if (!(graceDays <= graceDaysMax)) throw new FormFault('days', 'days_wrong')
  const links = await deps.explaining.links.listLinks([feed.id])
  const label = form.text('link')
  const link = links.find((it) => it.label === label)
  // A second press must not replace the address that the first one has shown.
  if (!link || String(link.createdAt) !== form.text('version')) {
    throw new FormFault('days', 'changed', 409)
  }
  const { feedLinks } = deps.administrationBy(visit.by)
  const rotated = await feedLinks
    .rotate(feed.id, { label, graceDays }, undefined, link)
    .catch(sayFault('days', 'changed', 'conflict'))
  const now = deps.clock.now()
  const times = timesOf(deps, visit.request, feed.timezone, visit.locale)
  const others = activeLinks(links, now).filter((it) => it.label !== label).length
  await sendMade(act, {
    ...madeLink(feed, rotated),
    text: made.rotated,
    oldEndsAt: now + graceDays * dayMs,
    values: { date: times.date(now + graceDays * dayMs), count: String(others) },
    notes: [graceDays > 0 ? made.grace : made.ended, ...(others > 0 ? [made.others] : [])],
  })
}

async function endLink(act: Act): Promise<void> {
  const { deps, visit, form, person } = act
  const { reopening } = deps.administrationBy(visit.by)
  const feed = feedOf(act)
  const label = form.text('link')
  const links = await deps.explaining.links.listLinks([feed.id])
  const link = links.find((it) => it.label === label)
  // Another may have that label by now, and be the good one, or none has it.
  if (!link || (form.has('version') && String(link.createdAt) !== form.text('version'))) {
    throw new RefusedInWords('conflict', visit.words.person.faults.changed)
  }
  await reopening.end(feed, label, form.has('leaked'))
  redirectDone(deps, visit, personPath(person.userId), 'linkEnded')
}

async function reopenLink(act: Act): Promise<void> {
  const { deps, visit, form, person } = act
  const { reopening } = deps.administrationBy(visit.by)
  await reopening
    .reopenLink(feedOf(act).id, form.text('link'))
    .catch(sayFault('reopen', 'too_late', 'conflict'))
  redirectDone(deps, visit, personPath(person.userId), 'linkReopened')
}

async function revoke(act: Act): Promise<void> {
  const { deps, visit, form, person } = act
  const { reopening } = deps.administrationBy(visit.by)
  await reopening.revoke(feedOf(act), form.has('leaked'))
  redirectDone(deps, visit, personPath(person.userId), 'calendarRevoked')
}

async function reopenFeed(act: Act): Promise<void> {
  const { deps, visit, person } = act
  const { reopening } = deps.administrationBy(visit.by)
  await reopening.reopenFeed(feedOf(act).id).catch(sayFault('reopen-feed', 'too_late', 'conflict'))
  redirectDone(deps, visit, personPath(person.userId), 'calendarReopened')
}

async function choose(act: Act): Promise<void> {
  const { deps, visit, form, person } = act
  const feed = feedOf(act)
  const { changes } = deps.administrationBy(visit.by)
  const name = form.text('name')
  if (!feedPatchSchema.shape.name.safeParse(name || null).success) {
    throw new FormFault('name', 'name_unfit')
  }
  await changes.update(feed.id, patchOf(feed, form)).catch((error: unknown) => {
    const code = asAppError(error)?.code
    if (code === 'unavailable') throw new FormFault('name', 'unavailable', 409)
    if (code === 'invalid') throw new FormFault('choices', 'refused')
    throw error
  })
  redirectDone(deps, visit, personPath(person.userId), 'saved')
}

async function download({ deps, visit, person }: Act): Promise<void> {
  const { by, companyId, response, words } = visit
  if (!mayDo(by.role, 'admin')) throw new RefusedInWords('forbidden', words.frame.needsRole.admin)
  const { listing } = deps.administrationBy(by)
  const input = { userId: person.userId, companyId }
  const data = await exportPerson(deps.exportingPerson, listing, input, by)
  response
    .attachment('person-data.json')
    .type('json')
    .send(`${JSON.stringify(data, null, 2)}\n`)
}

interface Made {
  readonly feed: Invitation['feed']
  readonly page: string
  readonly label: string
  readonly text: string
  readonly notes: readonly string[]
  readonly values?: Readonly<Record<string, string>>
  /** Of the address that this one replaces. */
  readonly oldEndsAt?: number
  readonly isForAccount?: boolean
}

function madeLink(feed: Feed, { page, label }: LinkView): Pick<Made, 'feed' | 'page' | 'label'> {
  return { feed, page: page ?? '', label }
}

/** The one reply that shows a new address. */
async function sendMade(act: Act, made: Made): Promise<void> {
  const { deps, visit, person } = act
  const { feed, page, label, text, notes, values, isForAccount = false } = made
  const mailed = await mailPage(act, made)
  const token = page.slice(page.lastIndexOf('/') + 1)
  sendConsole(deps, visit, {
    template: 'person-made',
    title: fill(visit.words.person.made.title, { name: person.who }),
    place: 'people',
    openable: personPath(person.userId),
    text,
    notes: [...notes, ...mailed],
    values: {
      ...values,
      label: sayLabel(visit, { label }),
      who: person.who,
      mail: isolated(person.known?.email ?? ''),
    },
    back: personPath(person.userId),
    feedName: isolated(feed.name),
    ...(await viewSubscription(visit.request, deps.publicUrl, {
      name: feed.name,
      token,
      isForAccount,
    })),
  })
}

/** Mails the page if the form asks for that; says whether it went. */
async function mailPage(
  { deps, visit, form }: Act,
  { feed, label, page, oldEndsAt }: Made,
): Promise<readonly string[]> {
  const { mailing } = deps.access
  if (!form.has('mailed') || !mailing?.reachesPeople) return []
  const { made } = visit.words.person
  const invitations = mailing.invitationsBy(visit.by, deps.administrationBy(visit.by).names())
  const kind = oldEndsAt === undefined ? 'invitation' : 'renewed'
  try {
    await invitations.send({ kind, feed, label, page, oldEndsAt })
    return [made.mailed]
  } catch (error) {
    if (!asAppError(error)) throw error
    return [made.notMailed]
  }
}

type Fault = ConstructorParameters<typeof FormFault>[1]

/** Gives errors with that code the words of the page. */
function sayFault(field: string, about: Fault, code = 'invalid'): (error: unknown) => never {
  return (error) => {
    if (asAppError(error)?.code !== code) throw error
    throw new FormFault(field, about, code === 'conflict' ? 409 : 400)
  }
}
