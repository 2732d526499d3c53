/* Three companies of three zones, in the week in which clocks change in Europe and before they do in New York, in the wire's own shape. */
import type { CompanyRecords, Json } from '../company/company-server.ts'
import { leave, task, timesheet } from '../company/people.ts'

export type ReleaseCompanyId = 'main' | 'us' | 'nz'

/** Where their Read APIs are while the fixture is written; nobody is there later. */
export const ports: Readonly<Record<ReleaseCompanyId, number>> = {
  main: 18_995,
  us: 18_996,
  nz: 18_997,
}

/** What `COMPANIES_FILE` says of them. */
export const companySettings = [
  {
    id: 'main',
    name: 'Süd',
    baseUrl: `http://127.0.0.1:${ports.main}`,
    timezone: 'Europe/Berlin',
    projects: ['prj_web'],
    schedules: ['sch_day'],
    recordUrl: 'https://hr.example.com/{kind}/{id}',
  },
  {
    id: 'us',
    name: 'West',
    baseUrl: `http://127.0.0.1:${ports.us}`,
    timezone: 'America/New_York',
    schedules: ['sch_night'],
  },
  {
    id: 'nz',
    name: 'Te Tonga',
    baseUrl: `http://127.0.0.1:${ports.nz}`,
    timezone: 'Pacific/Auckland',
    schedules: ['sch_day'],
  },
]

/** A leave of Ada's that comes for Bob, too, from some day on. */
export const contestedLeave = leave('lv_ada_long', '2026-10-28', {
  endDate: '2026-10-30T00:00:00.000Z',
  days: 3,
  reason: 'Umzug nach Köln',
  leaveType: { name: 'Erholungsurlaub', category: 'VACATION' },
})

export function recordsOf(companyId: ReleaseCompanyId): CompanyRecords {
  return { main, us, nz }[companyId]()
}

function main(): CompanyRecords {
  const outing = leave('lv_outing', '2026-10-27', { leaveType: { name: 'Betriebsausflug' } })
  return {
    users: [
      {
        ...person('usr_ada', 'Ada', 'Lovelace', 'Ada.Lovelace@sample.example'),
        assignedManagerId: 'usr_mia',
      },
      person('usr_bob', 'Bob', 'O’Noyce', 'bob@sample.example'),
      person('usr_cleo', 'Cleo', 'Left', 'cleo@sample.example'),
      person('usr_dan', 'Dan', 'Weiß', 'dan@sample.example'),
      person('usr_mia', 'Mia', 'Çelik', 'mia@sample.example'),
      person('usr_sakura', 'さくら', '山田', 'sakura@sample.example'),
      person('usr_zoe', 'Zoë', 'Ångström-Müller', 'ZOË@Bücher.example'),
    ],
    leaves: {
      usr_ada: [
        contestedLeave,
        leave('lv_ada_half', '2026-10-23', { days: 0.5, leaveType: { name: 'Halber Tag' } }),
        leave('lv_ada_asked', '2026-10-26', {
          status: 'PENDING',
          reason: '🎂; alle, \\ wie immer',
        }),
      ],
      usr_bob: [
        leave('lv_bob_one', '2026-10-26', { reason: 'Zahnarzt' }),
        leave('lv_bob_two', '2026-10-21'),
        outing,
      ],
      usr_cleo: [leave('lv_cleo', '2026-10-27')],
      usr_dan: [leave('lv_dan', '2026-10-29')],
      usr_mia: [leave('lv_mia', '2026-10-29'), outing],
      usr_sakura: [leave('lv_sakura', '2026-10-30', { status: 'CANCELLED' }), outing],
      usr_zoe: [leave('lv_zoe', '2026-10-30')],
    },
    timesheets: [
      { ...timesheet('clqada1', 'usr_ada', '2026-10-12', '2026-10-18'), status: 'SUBMITTED' },
      timesheet('clqada2', 'usr_ada', '2026-10-19', '2026-10-25'),
      { ...timesheet('clqbob', 'usr_bob', '2026-10-19', '2026-10-25'), status: 'REJECTED' },
      timesheet('clqmia', 'usr_mia', '2026-10-19', '2026-10-25'),
    ],
    tasks: {
      prj_web: [
        task('tsk_ada', '2026-10-29', [{ id: 'usr_ada', firstName: 'Ada', lastName: 'Lovelace' }]),
        task('tsk_both', '2026-10-30', [{ id: 'usr_ada' }, { id: 'usr_bob' }]),
      ],
    },
    schedules: [
      schedule('sch_day', 'Day shift', ['monday'], '09:00', '17:30'),
      schedule('sch_night', 'Nachtschicht', ['saturday'], '22:00', '06:00'),
    ],
    invoices: [
      {
        id: 'inv_1',
        invoiceNumber: 'R-2026/10',
        status: 'ISSUED',
        issueDate: '2026-10-16T00:00:00.000Z',
        dueDate: '2026-10-30T00:00:00.000Z',
        totalAmount: 1190.5,
        currency: 'EUR',
        recipient: { name: 'Acme, Inc.', email: 'acme@example.com' },
        lineItems: [],
      },
    ],
  }
}

function us(): CompanyRecords {
  return {
    ...nothing(),
    users: [
      person('usr_ada', 'Ada', 'Other', 'ada@west.example'),
      person('usr_kim', 'Kim', 'O’Hara', 'kim@west.example'),
    ],
    leaves: {
      usr_ada: [leave('lv_west', '2026-10-28'), leave('lv_east', '2026-10-30')],
      usr_kim: [leave('lv_kim', '2026-10-28'), leave('lv_kim_two', '2026-10-30')],
    },
    timesheets: [timesheet('clqwest', 'usr_ada', '2026-10-19', '2026-11-01')],
    schedules: [schedule('sch_night', 'Night shift', ['saturday'], '22:00', '06:00')],
  }
}

function nz(): CompanyRecords {
  return {
    ...nothing(),
    users: [
      person('usr_aroha', 'Aroha', 'Ngata', 'aroha@south.example'),
      person('usr_hemi', 'Hemi', 'Tāwhai', 'hemi@south.example'),
    ],
    leaves: {
      usr_aroha: [leave('lv_aroha', '2026-10-28'), leave('lv_aroha_two', '2026-10-30')],
      usr_hemi: [leave('lv_hemi', '2026-10-26'), leave('lv_hemi_two', '2026-10-30')],
    },
    schedules: [schedule('sch_day', 'Day shift', ['monday', 'sunday'], '08:00', '16:00')],
  }
}

function nothing(): CompanyRecords {
  return { users: [], leaves: {}, timesheets: [], tasks: {}, schedules: [], invoices: [] }
}

function person(id: string, firstName: string, lastName: string, email: string): Json {
  return { id, firstName, lastName, email, isActive: true }
}

function schedule(
  id: string,
  name: string,
  days: readonly string[],
  start: string,
  end: string,
): Json {
  const pattern = Object.fromEntries(days.map((day) => [day, { start, end }]))
  return { id, name, type: 'FIXED', isActive: true, pattern }
}
