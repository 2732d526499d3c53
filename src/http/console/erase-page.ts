/* Erasing a person: what would go first, then with their name typed. */
import { asAppError } from '../../domain/errors.ts'
import { displayName } from '../../domain/user.ts'
import type { DirectoryPerson, FoundPerson } from '../../feeds/bulk/people-lookup.ts'
import { type Erasure, erasePerson } from '../../people/erasure.ts'
import { isolated, isVisible } from '../../text/plain-text.ts'
import { timesOf } from '../pages/calendar-view.ts'
import type { PageDeps } from '../pages/page.ts'
import { pageLanguages } from '../pages/words/words.ts'
import { type ConsoleHandler, type Form, readForm, sendConsole, type Visit } from './console.ts'
import { sayLabel } from './person-view.ts'
import type { ConsoleWords } from './words/words.ts'

type Route = 'GET /console/erase' | 'POST /console/erase'

export function eraseHandlers(deps: PageDeps): Readonly<Record<Route, ConsoleHandler>> {
  return {
    'GET /console/erase': async (visit) => {
      const { userId } = visit.request.query
      sendErase(deps, visit, { given: typeof userId === 'string' ? userId : '' })
    },
    'POST /console/erase': async (visit) => {
      const form = await readForm(visit)
      return form.text('act') === 'erase' ? erase(deps, visit, form) : check(deps, visit, form)
    },
  }
}

interface Shown {
  /** What the first field holds. */
  readonly given: string
  readonly fault?: keyof ConsoleWords['erase']['faults']
  readonly meant?: readonly DirectoryPerson[]
  readonly foreseen?: object
  readonly isErased?: boolean
}

type Unclear = Extract<FoundPerson, { readonly fault: string }>

/** More would make no page that anybody reads. */
const namedMax = 20

function sendErase(deps: PageDeps, visit: Visit, shown: Shown): void {
  const { words, request, response } = visit
  const { fault, meant = [], ...others } = shown
  if (fault) response.status(400)
  sendConsole(deps, visit, {
    template: 'erase',
    title: words.erase.title,
    place: 'erase',
    foreseen: null,
    isErased: false,
    ...others,
    ...(request.method === 'POST' && { openable: '/erase' }),
    fault: fault ? { name: fault, text: words.erase.faults[fault] } : null,
    meant: meant.map((it) => ({ ...it, displayName: isolated(it.displayName || it.userId) })),
  })
}

async function check(deps: PageDeps, visit: Visit, form: Form): Promise<void> {
  const who = form.text('who')
  if (who === '') return sendErase(deps, visit, { given: who, fault: 'missing' })
  const lookup = deps.administrationBy(visit.by).lookup(visit.companyId)
  const found = await lookup.find(who)
  if ('fault' in found && found.fault !== 'unknown' && found.people.length > 1) {
    return sendErase(deps, visit, { given: who, fault: 'several', meant: found.people })
  }
  const userId = 'fault' in found ? onlyOf(found, who) : found.userId
  const foreseen = await foresee(deps, visit, userId)
  if (foreseen) return sendErase(deps, visit, { given: who, foreseen })
  sendErase(deps, visit, { given: who, fault: 'unknown', meant: await lookup.similarTo(who) })
}

/** Of a word that nobody is called by: the word itself, which may be an id that no directory has. */
function onlyOf({ fault, people }: Unclear, who: string): string {
  return fault === 'unknown' ? who : (people[0]?.userId ?? who)
}

/** What would go; null if nothing is kept about them. */
async function foresee(deps: PageDeps, visit: Visit, userId: string): Promise<object | null> {
  const input = { userId, companyId: visit.companyId, isDry: true }
  try {
    const foreseen = await erasePerson(deps.erasing, input, visit.by)
    return await viewErasure(deps, visit, foreseen, await nameOf(deps, visit, userId))
  } catch (error) {
    if (asAppError(error)?.code !== 'not_found') throw error
    return null
  }
}

async function erase(deps: PageDeps, visit: Visit, form: Form): Promise<void> {
  const { companyId, by } = visit
  const userId = form.text('userId')
  const foreseen = await foresee(deps, visit, userId)
  if (!foreseen) return sendErase(deps, visit, { given: userId, fault: 'unknown' })
  const name = await nameOf(deps, visit, userId)
  if (inOneForm(form.text('name')) !== inOneForm(name)) {
    return sendErase(deps, visit, { given: userId, fault: 'wrong', foreseen })
  }
  const erased = await erasePerson(deps.erasing, { userId, companyId }, by)
  const viewed = await viewErasure(deps, visit, erased, name)
  sendErase(deps, visit, { given: '', foreseen: viewed, isErased: true })
}

/** What has to be typed: the name, or the id of somebody without one. */
async function nameOf(deps: PageDeps, visit: Visit, userId: string): Promise<string> {
  const name = displayName(await deps.people.findPerson(visit.companyId, userId))
  return isVisible(name) ? name : userId
}

/** Keyboards write the same letters in several ways. */
function inOneForm(text: string): string {
  return text.normalize('NFC').replaceAll(/\s+/gu, ' ').trim()
}

async function viewErasure(
  deps: PageDeps,
  visit: Visit,
  { userId, removedFeeds, changedFeeds, copies, heldBy, backups }: Erasure,
  name: string,
): Promise<object> {
  const { locale, request, companyId } = visit
  const { clients } = pageLanguages[locale].activity
  const zone = deps.connections.get(companyId)?.company.timezone ?? 'UTC'
  const times = timesOf(deps, request, zone, locale)
  return {
    userId,
    name: isolated(name),
    calendars: removedFeeds.length,
    changed: changedFeeds.slice(0, namedMax).map((feed) => isolated(feed.name)),
    more: Math.max(0, changedFeeds.length - namedMax),
    copies,
    heldBy: heldBy.slice(0, namedMax).map(({ client, label, lastPolledAt }) => ({
      client: clients[client],
      label: sayLabel(visit, { label }),
      date: times.at(Date.parse(lastPolledAt)),
    })),
    backups,
  }
}
