/* What the console's forms make of calendars, written down once more and plainly. */

export const companyIds = ['north', 'south'] as const
export const userIds = ['usr_ada', 'usr_zoe'] as const
/** Whom the companies know. */
export const people = [
  { companyId: 'north', userId: 'usr_ada' },
  { companyId: 'south', userId: 'usr_ada' },
  { companyId: 'south', userId: 'usr_zoe' },
] as const
export const roles = ['reader', 'support', 'admin'] as const

/** A form that somebody sends. */
export interface Act {
  readonly kind: ActKind
  readonly role: (typeof roles)[number]
  /** The only company that they see. */
  readonly of: (typeof companyIds)[number] | null
  readonly companyId: (typeof companyIds)[number]
  readonly userId: (typeof userIds)[number]
  readonly label: string
  readonly isLeaked: boolean
  /** Whether the form is of a page that shows an older link. */
  readonly isStale: boolean
}

export interface Link {
  readonly label: string
  readonly createdAt: number
  isOpen: boolean
  isLeaked: boolean
  isReplaced: boolean
  /** Once a reply has shown it. */
  token: string
}

export interface Calendar extends Pick<Act, 'companyId' | 'userId'> {
  /** Once it is known. */
  id: string
  isOpen: boolean
  isLeaked: boolean
  readonly links: Link[]
}

export interface Outcome {
  readonly status: number
  /** What the audit log gets. */
  readonly entries: readonly (readonly [action: string, about: Calendar, label?: string])[]
  /** The one address that the reply shows. */
  readonly shown?: Link
}

interface Aim {
  readonly act: Act
  /** All that there are. */
  readonly calendars: Calendar[]
  /** The one that the form is about; undefined if it is not of this person. */
  readonly calendar: Calendar | undefined
  readonly now: number
}

export class ConsoleModel {
  readonly calendars: Calendar[] = []

  of(act: Act): readonly Calendar[] {
    return this.calendars.filter((it) => isOf(it, act))
  }

  /** Each open link as company, person, calendar and label. */
  listOpen(): readonly string[] {
    return this.calendars.flatMap((calendar) =>
      calendar.links
        .filter((link) => isWorking(calendar, link))
        .map(({ label }) => [calendar.companyId, calendar.userId, calendar.id, label].join(' ')),
    )
  }

  /** Does what the act does, if it is allowed. */
  apply(act: Act, about: Calendar | undefined, now: number): Outcome {
    const { kind, role, of, companyId, userId } = act
    if (role === 'reader' && kind !== 'look') return refused(403)
    if (of !== null && of !== companyId) return refused(404)
    const isKnown = people.some((it) => it.companyId === companyId && it.userId === userId)
    if (!isKnown && kind !== 'revoke-all') return refused(kind === 'hand-out' ? 400 : 404)
    const calendar = about && isOf(about, act) ? about : undefined
    return outcomes[kind]({ act, calendars: this.calendars, calendar, now })
  }
}

export function linkIn(calendar: Calendar | undefined, wanted: string): Link | undefined {
  return calendar?.links.find(({ label, isReplaced }) => label === wanted && !isReplaced)
}

export function isWorking(calendar: Calendar, link: Link): boolean {
  return calendar.isOpen && link.isOpen
}

const outcomes = {
  make,
  link: makeLink,
  rotate,
  end,
  reopen,
  revoke,
  'reopen-feed': reopenCalendar,
  'revoke-all': revokeAll,
  'hand-out': handOut,
  look,
} as const satisfies Readonly<Record<string, (aim: Aim) => Outcome>>

type ActKind = keyof typeof outcomes
export const actKinds = Object.keys(outcomes) as readonly ActKind[]

function make({ act, calendars, now }: Aim): Outcome {
  if (calendars.some((it) => isOf(it, act) && it.isOpen)) return refused(409)
  const { companyId, userId } = act
  const shown = newLink('default', now)
  const made = { companyId, userId, id: '', isOpen: true, isLeaked: false, links: [shown] }
  calendars.push(made)
  return { status: 200, entries: [['feed_created', made, 'default']], shown }
}

/** Leaves those who have a calendar as they are. */
function handOut(aim: Aim): Outcome {
  const made = make(aim)
  return made.status === 409 ? { status: 200, entries: [] } : made
}

function makeLink({ act: { label }, calendar, now }: Aim): Outcome {
  if (!calendar) return refused(404)
  const before = linkIn(calendar, label)
  if (!calendar.isOpen || before?.isOpen) return refused(409)
  // One that has ended gives up its label.
  if (before) before.isReplaced = true
  const shown = newLink(label, now)
  calendar.links.push(shown)
  return { status: 200, entries: [['link_created', calendar, label]], shown }
}

function rotate({ act: { label, isStale }, calendar, now }: Aim): Outcome {
  if (!calendar) return refused(404)
  const before = linkIn(calendar, label)
  if (!calendar.isOpen || !before || isStale) return refused(409)
  Object.assign(before, { isOpen: false, isReplaced: true })
  const shown = newLink(label, now)
  calendar.links.push(shown)
  return { status: 200, entries: [['link_rotated', calendar, label]], shown }
}

function end({ act: { label, isLeaked, isStale }, calendar }: Aim): Outcome {
  if (!calendar) return refused(404)
  const link = linkIn(calendar, label)
  if (!link || isStale) return refused(409)
  const entries = [
    ...(isLeaked ? [['link_leaked', calendar, label] as const] : []),
    ...(link.isOpen ? [['link_ended', calendar, label] as const] : []),
  ]
  close(link, isLeaked)
  return { status: 303, entries }
}

function reopen({ act: { label }, calendar }: Aim): Outcome {
  if (!calendar) return refused(404)
  const link = linkIn(calendar, label)
  if (!link || link.isOpen || link.isLeaked) return refused(409)
  link.isOpen = true
  return { status: 303, entries: [['link_reopened', calendar, label]] }
}

function revoke({ act: { isLeaked }, calendar }: Aim): Outcome {
  if (!calendar) return refused(404)
  const entries = [
    ...(isLeaked ? [['feed_leaked', calendar] as const] : []),
    ...(calendar.isOpen ? [['feed_revoked', calendar] as const] : []),
  ]
  close(calendar, isLeaked)
  return { status: 303, entries }
}

function reopenCalendar({ calendar }: Aim): Outcome {
  if (!calendar) return refused(404)
  if (calendar.isOpen || calendar.isLeaked) return refused(409)
  calendar.isOpen = true
  return { status: 303, entries: [['feed_reopened', calendar]] }
}

/** The form names the calendars of all companies. */
function revokeAll({ act: { companyId }, calendars }: Aim): Outcome {
  const open = calendars.filter((it) => it.companyId === companyId && it.isOpen)
  for (const calendar of open) close(calendar, false)
  return { status: 200, entries: open.map((it) => ['feed_revoked', it] as const) }
}

function look({ calendar }: Aim): Outcome {
  if (!calendar?.isOpen) return refused(404)
  return { status: 200, entries: [['calendar_viewed', calendar, lookReason]] }
}

export const lookReason = 'Leave is missing'

function refused(status: number): Outcome {
  return { status, entries: [] }
}

function isOf(calendar: Calendar, { companyId, userId }: Act): boolean {
  return calendar.companyId === companyId && calendar.userId === userId
}

function newLink(label: string, createdAt: number): Link {
  return { label, createdAt, isOpen: true, isLeaked: false, isReplaced: false, token: '' }
}

function close(it: Pick<Link, 'isOpen' | 'isLeaked'>, isLeaked: boolean): void {
  it.isOpen = false
  it.isLeaked ||= isLeaked
}
