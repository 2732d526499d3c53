/* A company with a year of fortnightly timesheets, ten days each. */
import type { CompanyLists, CompanyRecords } from '../../../src/wire/company-file.ts'

const dayMs = 86_400_000
const first = Date.UTC(2025, 0, 6)
export const leavesEach = 8
export const timesheetsEach = 26
export const entriesEach = 10

/** So many people, each as if nobody else were there. */
export function largeCompany(people: number): CompanyLists {
  return {
    users: each(people, (id) => [{ id, firstName: 'Some', lastName: 'Body' }]),
    leaves: each(people, leavesOf),
    timesheets: each(people, timesheetsOf),
    projects: [],
    schedules: [],
    invoices: [],
  }
}

function largePerson(index: number): string {
  return `usr_${String(index).padStart(5, '0')}`
}

function* each<T>(people: number, make: (userId: string) => readonly T[]): Generator<T> {
  for (let index = 0; index < people; index += 1) yield* make(largePerson(index))
}

function leavesOf(userId: string): CompanyRecords['leaves'][] {
  return Array.from({ length: leavesEach }, (_, index) => ({
    id: `lv_${userId}_${index}`,
    userId,
    startDate: at(42 * index),
    endDate: at(42 * index + 4),
    days: 5,
    reason: 'A week off',
    status: 'APPROVED',
    leaveType: { name: 'Annual leave', category: 'ANNUAL' },
  }))
}

function timesheetsOf(userId: string): CompanyRecords['timesheets'][] {
  return Array.from({ length: timesheetsEach }, (_, index) => ({
    id: `clq_${userId}_${index}`,
    userId,
    companyId: 'comp_large',
    periodStart: at(14 * index),
    periodEnd: at(14 * index + 13),
    status: 'APPROVED',
    entries: Array.from({ length: entriesEach }, (__, day) => ({
      id: `ent_${userId}_${index}_${day}`,
      date: at(14 * index + (day < 5 ? day : day + 2)),
      hoursWorked: 8.25,
      expectedHours: 8,
      notes: '',
    })),
  }))
}

function at(day: number): string {
  return new Date(first + day * dayMs).toISOString()
}
