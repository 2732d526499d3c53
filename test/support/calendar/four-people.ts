/* Four people whose calendars differ most, as records of the sandbox, in the month of May 2026. */

/** A record as the sandbox's controls take it. */
interface SandboxRecord {
  readonly kind: 'users' | 'schedules' | 'leaves' | 'timesheets' | 'tasks'
  readonly body: { readonly id: string; readonly [member: string]: unknown }
}

export interface PicturedPerson {
  readonly key: string
  readonly firstName: string
  readonly lastName: string
  readonly locale: 'en' | 'de'
  readonly options: object
  /** Options beside those above, by a name for the picture; what the API refuses is left out. */
  readonly variants: Readonly<Record<string, object>>
}

const office = { scheduleIds: ['sch_office'] }

const asDay = { shifts: { ...office, as: 'day' } }
const asFree = { shifts: { ...office, showAs: 'free' } }
const asToDo = { timesheets: { as: 'todo' } }

const rotation = {
  weeks: [['sch_morning'], ['sch_evening'], ['sch_overnight'], []],
  from: '2026-05-04',
}

export const fourPeople: readonly PicturedPerson[] = [
  {
    key: 'office',
    firstName: 'Olivia',
    lastName: 'Hart',
    locale: 'en',
    options: { shifts: office },
    variants: {
      day: asDay,
      free: asFree,
      todo: { shifts: office, ...asToDo },
      'day-todo': { ...asDay, ...asToDo },
      deadline: { shifts: office, timesheets: { as: 'deadline' } },
    },
  },
  {
    key: 'nurse',
    firstName: 'Nadia',
    lastName: 'Weber',
    locale: 'en',
    options: { shifts: { rotation } },
    variants: { day: { shifts: { rotation, as: 'day' } } },
  },
  {
    key: 'part',
    firstName: 'Petra',
    lastName: 'Lang',
    locale: 'de',
    options: { shifts: { scheduleIds: ['sch_mornings'] } },
    variants: { day: { shifts: { scheduleIds: ['sch_mornings'], as: 'day' } } },
  },
  {
    key: 'leaves',
    firstName: 'Lena',
    lastName: 'Moser',
    locale: 'en',
    options: { shifts: office },
    variants: { away: { shifts: office, leaves: { detail: 'absent' } }, day: asDay },
  },
]

/** Where a person's meetings come from is another calendar. */
export const meetings = [
  { title: 'Budget review', start: '2026-05-18T10:00', end: '2026-05-18T11:00' },
  { title: 'Interview: Designer', start: '2026-05-19T14:00', end: '2026-05-19T15:30' },
]

const dayNames = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

export const theirRecords: readonly SandboxRecord[] = [
  ...fourPeople.map(user),
  schedule('office', 'Day shift', 'FIXED', '09:00–17:30', 0, 5),
  schedule('morning', 'Early shift', 'ROTATING', '06:00–14:00', 0, 5),
  schedule('evening', 'Late shift', 'ROTATING', '14:00–22:00', 1, 6),
  schedule('overnight', 'Night shift', 'ROTATING', '22:00–06:00', 0, 5),
  schedule('mornings', 'Vormittags', 'FLEXIBLE', '08:00–13:00', 0, 3),

  leave('office', 'Annual leave', '2026-05-04', '2026-05-06', { days: 3 }),
  leave('office', 'Annual leave', '2026-05-20', '2026-05-20', { days: 0.5 }),
  leave('office', 'Medical appointment', '2026-05-21T09:00', '2026-05-21T11:30', { days: 0.25 }),
  timesheet('office', '2026-04-27', '2026-05-03', 'APPROVED'),
  timesheet('office', '2026-05-04', '2026-05-10', 'SUBMITTED'),
  timesheet('office', '2026-05-11', '2026-05-17', 'REJECTED'),
  timesheet('office', '2026-05-18', '2026-05-24', 'DRAFT'),
  task('office', 'Send the quarterly report', '2026-05-19', 'HIGH'),
  task('office', 'Update the onboarding guide', '2026-05-22T17:00', 'MEDIUM'),
  task('office', 'Order new laptops', '2026-05-22', 'LOW'),
  task('office', 'Plan the team day', '2026-05-29', 'LOW'),

  leave('nurse', 'Annual leave', '2026-05-13', '2026-05-14', { days: 2 }),
  leave('nurse', 'Training', '2026-05-27', '2026-05-28', { days: 2 }),
  timesheet('nurse', '2026-05-01', '2026-05-31', 'DRAFT'),

  leave('part', 'Urlaub', '2026-05-12', '2026-05-13', { days: 2 }),
  leave('part', 'Kind krank', '2026-05-19', '2026-05-19', { days: 1 }),
  timesheet('part', '2026-05-01', '2026-05-15', 'SUBMITTED'),
  timesheet('part', '2026-05-16', '2026-05-31', 'DRAFT'),
  task('part', 'Rundschreiben Korrektur lesen', '2026-05-20', 'MEDIUM'),

  leave('leaves', 'Annual leave', '2026-04-27', '2026-04-30', { days: 4 }),
  leave('leaves', 'Sick leave', '2026-05-04', '2026-05-05', { days: 2 }),
  leave('leaves', 'Training', '2026-05-11', '2026-05-12', { days: 2 }),
  leave('leaves', 'Annual leave', '2026-05-12', '2026-05-13', { days: 2, status: 'CANCELLED' }),
  leave('leaves', 'Annual leave', '2026-05-15', '2026-05-15', { days: 1, status: 'PENDING' }),
  leave('leaves', 'Child sick', '2026-05-18', '2026-05-18', { days: 1 }),
  leave('leaves', 'Medical appointment', '2026-05-19T14:00', '2026-05-19T17:30', { days: 0.5 }),
  leave('leaves', 'Annual leave', '2026-05-20', '2026-05-20', { days: 0.5, status: 'PENDING' }),
  leave('leaves', 'Moving house', '2026-05-21', '2026-05-22', { days: 1.5 }),
  leave('leaves', 'Parental leave', '2026-05-27', '2026-07-03', { days: 27, status: 'PENDING' }),
]

function user({ key, firstName, lastName }: PicturedPerson): SandboxRecord {
  const email = `${firstName.toLowerCase()}@sample.example`
  return {
    kind: 'users',
    body: { id: `usr_${key}`, email, firstName, lastName, role: 'EMPLOYEE', isActive: true },
  }
}

function schedule(
  key: string,
  name: string,
  type: string,
  hours: `${string}–${string}`,
  first: number,
  end: number,
): SandboxRecord {
  const [from, until] = hours.split('–')
  const days = dayNames.slice(first, end).map((day) => [day, { start: from, end: until }])
  const pattern = Object.fromEntries(days)
  return { kind: 'schedules', body: { id: `sch_${key}`, name, type, isActive: true, pattern } }
}

function leave(
  who: string,
  name: string,
  start: string,
  end: string,
  { days, status = 'APPROVED' }: { readonly days: number; readonly status?: string },
): SandboxRecord {
  return {
    kind: 'leaves',
    body: {
      id: `lv_${who}_${start}_${status}`,
      userId: `usr_${who}`,
      startDate: instant(start),
      endDate: instant(end),
      days,
      status,
      leaveType: { name, category: name.toUpperCase() },
    },
  }
}

function timesheet(
  who: string,
  periodStart: string,
  periodEnd: string,
  status: string,
): SandboxRecord {
  return {
    kind: 'timesheets',
    body: {
      id: `clq_${who}_${periodStart}`,
      userId: `usr_${who}`,
      periodStart: instant(periodStart),
      periodEnd: instant(periodEnd),
      status,
      entries: [{ date: instant(periodStart), hoursWorked: 7.5, expectedHours: 8 }],
    },
  }
}

function task(who: string, title: string, due: string, priority: string): SandboxRecord {
  return {
    kind: 'tasks',
    body: {
      id: `tsk_${who}_${due}_${priority}`,
      projectId: 'prj_web',
      title,
      status: 'IN_PROGRESS',
      priority,
      dueDate: instant(due),
      assignees: [{ id: `usr_${who}` }],
    },
  }
}

/** A day is written as its midnight in UTC, a time of day as Berlin's summer time. */
function instant(text: string): string {
  return text.includes('T') ? `${text}:00+02:00` : `${text}T00:00:00Z`
}
