/* Changes of one press, by kind of record: what each makes of a record, and what it says when that is done. */
const dayMs = 86_400_000

const later = (text, days) =>
  Number.isFinite(Date.parse(text)) ? new Date(Date.parse(text) + days * dayMs).toISOString() : text

/** A change of the record that stands open, and what it is called once it is done. */
const change = (text, done, made, isNeedless = () => false) => ({ text, done, made, isNeedless })

const becomes = (text, done, status) =>
  change(
    text,
    done,
    (record) => ({ ...record, status }),
    (record) => record.status === status,
  )

const due = change('Due a day later', 'Put off by a day', (record) => ({
  ...record,
  dueDate: later(record.dueDate, 1),
}))

const isOn = ({ isActive }) => isActive !== false
const off = (record) => ({ ...record, isActive: false })
const on = (record) => ({ ...record, isActive: true })
const activity = [
  change('Deactivate', 'Deactivated', off, (record) => !isOn(record)),
  change('Activate', 'Activated', on, isOn),
]

const byKind = {
  leaves: [
    becomes('Approve', 'Approved', 'APPROVED'),
    change('Move by a day', 'Moved by a day', (record) => ({
      ...record,
      startDate: later(record.startDate, 1),
      endDate: later(record.endDate, 1),
    })),
    becomes('Cancel', 'Cancelled', 'CANCELLED'),
  ],
  timesheets: [
    becomes('Submit', 'Submitted', 'SUBMITTED'),
    becomes('Approve', 'Approved', 'APPROVED'),
  ],
  tasks: [due, becomes('Finish', 'Finished', 'DONE')],
  invoices: [due, becomes('Mark as paid', 'Marked as paid', 'PAID')],
  schedules: activity,
  users: activity,
}

export function changesOf(kind) {
  return byKind[kind]
}

/** A leave of all of next week, of somebody. */
export function leaveNextWeek(userId) {
  const now = new Date()
  const monday = Date.UTC(
    now.getUTCFullYear(),
    now.getUTCMonth(),
    now.getUTCDate() + daysToMonday(now),
  )
  return {
    id: `lv_${crypto.randomUUID().slice(0, 8)}`,
    userId,
    startDate: new Date(monday).toISOString(),
    endDate: new Date(monday + 4 * dayMs).toISOString(),
    days: 5,
    status: 'APPROVED',
    reason: 'Added in the sandbox',
    leaveType: { name: 'Annual leave', category: 'ANNUAL' },
  }
}

function daysToMonday(date) {
  return 7 - ((date.getUTCDay() + 6) % 7)
}
