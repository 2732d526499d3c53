/* A company whose people take whole days, parts of days and hours off, in November 2026, in the wire's own shape. */
import type { CompanyRecords, Json } from '../company/company-server.ts'
import { leave, task, timesheet } from '../company/people.ts'

/** Where its Read API is while the fixture is written; nobody is there later. */
export const port = 18_994

/** What `COMPANIES_FILE` says of it. */
export const companySettings = [
  {
    id: 'main',
    name: 'Süd',
    baseUrl: `http://127.0.0.1:${port}`,
    timezone: 'Europe/Berlin',
    projects: ['prj_web'],
    schedules: ['sch_day'],
    recordUrl: 'https://hr.example.com/{kind}/{id}',
  },
]

export function releaseRecords(): CompanyRecords {
  return {
    users: [
      person('usr_ada', 'Ada', 'Lovelace'),
      person('usr_bob', 'Bob', 'O’Noyce'),
      person('usr_cleo', 'Cleo', 'Çelik'),
      person('usr_dan', 'Dan', 'Weiß'),
      person('usr_eve', 'Eve', 'Li'),
      person('usr_jonas', 'Jonas', 'Ångström'),
      person('usr_mia', 'Mia', 'Åberg'),
      person('usr_nameless', '', 'Nameless'),
    ],
    leaves: {
      usr_ada: [
        partOfDay('lv_half', '2026-11-02', 0.5),
        partOfDay('lv_quarter', '2026-11-05', 0.25),
        hours('lv_begin', '2026-11-09T07:00', '2026-11-09T11:00'),
        hours('lv_end', '2026-11-12T13:00', '2026-11-12T17:00'),
        hours('lv_night', '2026-11-15T03:00', '2026-11-15T06:00'),
        hours('lv_middle', '2026-11-16T11:00', '2026-11-16T13:00'),
        hours('lv_all', '2026-11-19T07:00', '2026-11-19T17:00'),
        leave('lv_pending', '2026-11-23', { days: 0.5, status: 'PENDING' }),
        leave('lv_whole', '2026-11-26', { reason: 'Umzug; „nach Köln“' }),
        leave('lv_sick', '2026-11-13', {
          leaveType: { name: 'Krank', category: 'SICK' },
          reason: 'Grippe',
        }),
      ],
      usr_bob: [
        partOfDay('lv_bob', '2026-11-18', 0.5),
        hours('lv_bob_hours', '2026-11-25T12:00', '2026-11-25T14:00'),
      ],
      usr_cleo: [
        partOfDay('lv_cleo', '2026-11-21', 0.5),
        hours('lv_cleo_hours', '2026-11-07T23:00', '2026-11-08T01:00'),
      ],
      usr_dan: [
        partOfDay('lv_dan', '2026-11-16', 0.5),
        hours('lv_dan_hours', '2026-11-19T07:00', '2026-11-19T11:00'),
      ],
      usr_jonas: [leave('lv_jonas', '2026-11-16', { days: 0.5, status: 'PENDING' })],
    },
    timesheets: [
      { ...timesheet('clqada1', 'usr_ada', '2026-11-09', '2026-11-15'), status: 'REJECTED' },
      timesheet('clqada2', 'usr_ada', '2026-11-16', '2026-11-22'),
    ],
    tasks: { prj_web: [task('tsk_both', '2026-11-20', [{ id: 'usr_ada' }, { id: 'usr_bob' }])] },
    schedules: [
      schedule('sch_day', 'Day shift', 'FIXED', ['monday', 'thursday'], '09:00', '17:30'),
      schedule('sch_night', 'Night shift', 'FIXED', ['saturday'], '22:00', '06:00'),
      schedule('sch_flexible', 'Flexible', 'FLEXIBLE', ['wednesday'], '10:00', '16:00'),
    ],
    invoices: [],
  }
}

function person(id: string, firstName: string, lastName: string): Json {
  return { id, firstName, lastName, email: `${id}@sample.example`, isActive: true }
}

function partOfDay(id: string, date: string, days: number): Json {
  return leave(id, date, { days })
}

/** Times of day in UTC, an hour before those in Berlin. */
function hours(id: string, start: string, end: string): Json {
  return leave(id, start, {
    startDate: `${start}:00.000Z`,
    endDate: `${end}:00.000Z`,
    days: 0.5,
  })
}

function schedule(
  id: string,
  name: string,
  type: string,
  days: readonly string[],
  start: string,
  end: string,
): Json {
  const pattern = Object.fromEntries(days.map((day) => [day, { start, end }]))
  return { id, name, type, isActive: true, pattern }
}
