/* The controls for programs, as the reference tells them; what stands between backticks is code. */

/** One thing to write, and what it does. */
export interface DocumentedControl {
  readonly written: string
  readonly meaning: string
}

/** Every request of the controls. */
export const controlRequests: readonly DocumentedControl[] = [
  { written: 'GET /sandbox/companies', meaning: 'The ids of the companies that are there.' },
  {
    written: 'GET /sandbox/companies/{company}/{kind}',
    meaning:
      'Its records, as in a company file; at most `limit` of them and, of leaves and timesheets, those of a `userId`. A kind is `users`, `leaves`, `timesheets`, `schedules`, `tasks` or `invoices`.',
  },
  {
    written: 'GET, PUT, DELETE /sandbox/companies/{company}/{kind}/{id}',
    meaning:
      'One record. `PUT` takes all of it, as in a company file (a task with its `projectId`), and adds it where there is none.',
  },
  {
    written: 'POST /sandbox/companies/{company}/reset',
    meaning:
      'Takes everything back: `main` becomes the sample company of today, another one what was imported last.',
  },
  {
    written: 'GET, PUT /sandbox/behaviour',
    meaning:
      'What is imitated. `PUT` replaces all of it, `{}` ends it, and so does a start of the sandbox.',
  },
  { written: 'GET /sandbox/requests', meaning: 'What the Read API was asked lately.' },
]

/** Every member of a behaviour, with a value that it takes. */
export const behaviourMembers: readonly (DocumentedControl & { readonly example: unknown })[] = [
  {
    written: 'latencyMs',
    meaning: 'How long each answer is held back.',
    example: 500,
  },
  {
    written: 'faults',
    meaning:
      'Which operation (its `operationId` in openapi.json) answers which status, how often by chance (`rate`, 0 to 1, 1 where it is left out), and with which `Retry-After` in seconds.',
    example: [{ operation: 'listLeaves', status: 503, rate: 0.5, retryAfter: 2 }],
  },
  {
    written: 'filters',
    meaning:
      'Lists (`leaves`, `timesheets`, `schedules`) whose filters are taken and have no effect.',
    example: { leaves: 'ignored' },
  },
  {
    written: 'pagination',
    meaning:
      'Another style of pages, written as `WORKFORCE_PAGINATION`; `limit` is then unknown, unless the style has it.',
    example: 'link',
  },
  {
    written: 'pageSize',
    meaning: 'How many records a page has that is not asked for by size.',
    example: 2,
  },
  {
    written: 'parameters',
    meaning:
      'Other names of parameters, written as `WORKFORCE_PARAMS`; the usual name is then unknown.',
    example: { leaves: { employee: 'employeeId' } },
  },
  {
    written: 'auth',
    meaning: 'The credential that is asked for, written as `WORKFORCE_AUTH`.',
    example: 'bearer:abc',
  },
]
