/* By kind of record: how one reads in a list, whose calendar shows it, and which of its fields matter. */
import { facts } from './sandbox-elements.js'

const day = (value) => (typeof value === 'string' ? value.slice(0, 10) : 'no date')
const span = (from, to) => (day(from) === day(to) ? day(from) : `${day(from)} to ${day(to)}`)
const words = (...parts) =>
  parts.filter((it) => it !== undefined && it !== null && it !== '').join(' ')

/** A text that says something, else another. */
const either = (text, other) => (words(text) === '' ? other : text)

/** The person's name, else their id. */
export function nameOf(people, id) {
  const { firstName, lastName } = people.find((it) => it.id === id) ?? {}
  return words(firstName, lastName) || String(id)
}

/** The day by which a record is sorted, `2026-12-08`; undefined where it has none. */
export function dayOf({ kind, record }) {
  const when = record && kinds[kind].when?.(record)
  return typeof when === 'string' ? when.slice(0, 10) : undefined
}

const person = (people) => ({
  pointer: '/userId',
  label: 'Person',
  type: 'choice',
  options: people.map(({ id }) => [id, nameOf(people, id)]),
})

const status = (options) => ({ pointer: '/status', label: 'Status', type: 'choice', options })

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

const hoursOf = (weekday) =>
  ['start', 'end'].map((edge) => ({
    pointer: `/pattern/${weekday}/${edge}`,
    label: `${weekday[0].toUpperCase()}${weekday.slice(1)} ${edge}`,
    type: 'time',
  }))

/** In the words of the Read API; `when` is by what a list is sorted, the latest first. */
export const kinds = {
  leaves: {
    one: 'leave',
    title: ({ userId, leaveType }, people) =>
      `${nameOf(people, userId)}: ${leaveType?.name ?? 'Leave'}`,
    note: ({ startDate, endDate, status: now, reason }) => [span(startDate, endDate), now, reason],
    when: ({ startDate }) => startDate,
    whose: ({ userId }) => userId,
    fields: (people) => [
      person(people),
      { pointer: '/startDate', label: 'From', type: 'date' },
      { pointer: '/endDate', label: 'To', type: 'date', hint: 'The last day. Times are in UTC.' },
      status(facts.statuses.leaves),
      { pointer: '/leaveType/name', label: 'Type', isOptional: true },
      { pointer: '/reason', label: 'Reason', isOptional: true },
    ],
  },
  timesheets: {
    one: 'timesheet',
    title: ({ userId }, people) => `${nameOf(people, userId)}: Timesheet`,
    note: ({ periodStart, periodEnd, status: now }) => [span(periodStart, periodEnd), now],
    when: ({ periodStart }) => periodStart,
    whose: ({ userId }) => userId,
    fields: (people) => [
      person(people),
      { pointer: '/periodStart', label: 'Period from', type: 'date' },
      { pointer: '/periodEnd', label: 'Period to', type: 'date', hint: 'The last day.' },
      status(facts.statuses.timesheets),
    ],
  },
  tasks: {
    one: 'task',
    title: ({ title, id }) => either(title, id),
    note: ({ dueDate, status: now, assignees }) => [
      `due ${day(dueDate)}`,
      now,
      (assignees ?? []).map((it) => it.firstName ?? it.id).join(', '),
    ],
    when: ({ dueDate }) => dueDate,
    whose: ({ assignees }) => assignees?.[0]?.id,
    isOf: ({ assignees }, id) => (assignees ?? []).some((it) => it.id === id),
    fields: (people) => [
      { pointer: '/title', label: 'Title' },
      { pointer: '/dueDate', label: 'Due', type: 'date' },
      status(['TODO', 'IN_PROGRESS', 'DONE', 'CANCELLED']),
      {
        pointer: '/assignees',
        label: 'Assignees',
        type: 'people',
        options: people.map(({ id, firstName, lastName }) => ({ id, firstName, lastName })),
      },
    ],
  },
  schedules: {
    one: 'schedule',
    title: ({ name, id }) => either(name, id),
    note: ({ type, isActive }) => [type ?? 'FIXED', isActive === false ? 'inactive' : 'active'],
    fields: () => [
      { pointer: '/name', label: 'Name' },
      { pointer: '/type', label: 'Type', type: 'choice', options: facts.scheduleTypes },
      { pointer: '/isActive', label: 'Active', type: 'flag' },
      {
        type: 'group',
        label: 'Hours of the week',
        looks: 'hours',
        fields: weekdays.flatMap(hoursOf),
      },
    ],
  },
  users: {
    one: 'user',
    title: ({ id, firstName, lastName }) => words(firstName, lastName) || id,
    note: ({ position, isActive }) => [position, isActive === false ? 'inactive' : 'active'],
    whose: ({ id }) => id,
    fields: (people) => [
      { pointer: '/firstName', label: 'First name' },
      { pointer: '/lastName', label: 'Last name' },
      {
        pointer: '/assignedManagerId',
        label: 'Manager',
        type: 'choice',
        options: [['', 'nobody'], ...people.map(({ id }) => [id, nameOf(people, id)])],
      },
      { pointer: '/isActive', label: 'Active', type: 'flag' },
    ],
  },
  invoices: {
    one: 'invoice',
    title: ({ invoiceNumber, id }) => `${invoiceNumber ?? id}`,
    note: ({ dueDate, status: now, recipient }) => [`due ${day(dueDate)}`, now, recipient?.name],
    when: ({ dueDate }) => dueDate,
    fields: () => [
      { pointer: '/invoiceNumber', label: 'Number' },
      { pointer: '/dueDate', label: 'Due', type: 'date' },
      status(['DRAFT', 'ISSUED', 'PAID', 'OVERDUE', 'CANCELLED', 'VOID']),
    ],
  },
}
