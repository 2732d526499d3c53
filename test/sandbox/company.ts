import type { CompanyFile, CompanyRecords } from '../../src/wire/company-file.ts'

const work = { start: '09:00', end: '17:00' }

/** A company small enough to know by heart; one record for each case of each filter. */
export const smallCompany: CompanyFile = {
  users: [
    { id: 'usr_boss', firstName: 'Bea', lastName: 'Boss', email: 'bea@company.example' },
    { id: 'usr_1', firstName: 'Uma', lastName: 'One', assignedManagerId: 'usr_boss' },
    { id: 'usr_ä/?#%', firstName: 'Äsa', assignedManagerId: 'usr_gone', badge: 7 },
  ],
  leaves: [
    leave('lv_3', 'usr_1', 'APPROVED'),
    leave('lv_1', 'usr_1', 'PENDING'),
    leave('lv_2', 'usr_boss', 'APPROVED'),
    leave('lv_4', 'usr_1', 'REJECTED'),
    leave('lv_5', 'usr_boss', 'CANCELLED'),
    leave('lv_6', 'usr_1', 'WITHDRAWN'),
  ],
  projects: [
    {
      id: 'prj_1',
      name: 'One',
      tasks: [
        { id: 'tsk_2', title: 'Two', assignees: [{ id: 'usr_1', firstName: 'Uma' }] },
        { id: 'tsk_1', title: 'One', dueDate: '2026-02-01T00:00:00.000Z', archived: false },
        { id: 'tsk_0', title: 'Gone', archived: true },
      ],
    },
    { id: 'prj_2', tasks: [] },
  ],
  schedules: [
    { id: 'sch_fixed', type: 'FIXED', isActive: true, pattern: { monday: work } },
    { id: 'sch_flexible', type: 'FLEXIBLE', isActive: true },
    { id: 'sch_old', type: 'FIXED', isActive: false },
    { id: 'sch_unsaid', type: 'ROTATING' },
  ],
  timesheets: [
    timesheet('clq_1', ['usr_1', 'APPROVED'], ['2026-01-01', '2026-01-15']),
    timesheet('clq_2', ['usr_1', 'DRAFT'], ['2026-01-16', '2026-01-31']),
    timesheet('clq_3', ['usr_boss', 'SUBMITTED'], ['2026-01-16', '2026-01-31']),
    timesheet('clq_4', ['usr_boss', 'REJECTED'], ['2026-02-01', '2026-02-15']),
  ],
  invoices: [
    {
      id: 'inv_1',
      invoiceNumber: 'INV-001',
      totalAmount: 1200.5,
      lineItems: [{ id: 'li_1', description: 'Work', quantity: 2, rate: 600.25, amount: 1200.5 }],
    },
  ],
}

/** A leave of two days. */
export function leave(id: string, userId: string, status = 'APPROVED'): CompanyRecords['leaves'] {
  return {
    id,
    userId,
    status,
    startDate: '2026-01-05T00:00:00.000Z',
    endDate: '2026-01-06T00:00:00.000Z',
    days: 2,
  }
}

function timesheet(id: string, [userId, status]: string[], [first, last]: string[]) {
  return {
    id,
    userId: userId ?? '',
    status: status ?? '',
    periodStart: `${first}T00:00:00.000Z`,
    periodEnd: `${last}T00:00:00.000Z`,
    entries: [{ id: `ent_${id}`, date: `${first}T00:00:00.000Z`, hoursWorked: 7.5 }],
  }
}
