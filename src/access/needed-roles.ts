import type { Role } from '../domain/access/staff.ts'

/** A role: that one or a higher one. */
type Needed =
  | Role
  | 'anybody'
  /** Anyone who has the address of a calendar or its page. */
  | 'holder'
  | 'person'
  /** On the machine itself, or staff of all companies. */
  | 'operator or token'

/** Every route by method and path; there is none below /api and /console but these. */
export const neededOnRoutes = {
  'GET /feeds/{token}/{name}.ics': 'holder',
  'GET /feeds/{token}/{name}.json': 'holder',
  'GET /feeds/{token}/account.mobileconfig': 'holder',
  'GET /feeds/{token}/subscription.mobileconfig': 'holder',
  'GET /feeds/{token}': 'holder',
  'POST /feeds/{token}': 'holder',
  'GET /': 'anybody',
  'GET /sign-in': 'anybody',
  'GET /sign-in/callback': 'anybody',
  'GET /sign-in/refused': 'anybody',
  'GET /sign-in/company': 'anybody',
  'POST /sign-in/company': 'anybody',
  'POST /sign-out': 'anybody',
  'POST /lost-link': 'anybody',
  'GET /console/sign-in': 'anybody',
  'POST /console/sign-in': 'anybody',
  'GET /console': 'reader',
  'POST /console/departures': 'support',
  'POST /console/identities': 'support',
  'GET /console/people': 'reader',
  'GET /console/people.csv': 'reader',
  'POST /console/people': 'support',
  'GET /console/hand-out': 'support',
  'POST /console/hand-out': 'support',
  'GET /console/people/{userId}': 'reader',
  'POST /console/people/{userId}': 'support',
  'POST /console/people/{userId}/calendar': 'reader',
  'GET /console/teams': 'reader',
  'GET /console/teams/{managerId}': 'reader',
  'POST /console/teams/{managerId}': 'support',
  'POST /console/teams/{managerId}/month': 'reader',
  'GET /console/defaults': 'reader',
  'POST /console/defaults': 'admin',
  'GET /console/companies': 'reader',
  'POST /console/companies': 'support',
  'GET /console/audit': 'reader',
  'GET /console/audit.csv': 'reader',
  'GET /console/tokens': 'admin',
  'POST /console/tokens': 'admin',
  'GET /console/access': 'admin',
  'POST /console/access': 'admin',
  'GET /console/erase': 'admin',
  'POST /console/erase': 'admin',
  'GET /console/first-steps': 'reader',
  'POST /console/first-steps': 'admin',
  'GET /me': 'person',
  'POST /me': 'person',
  'GET /me/calendar.ics': 'person',
  'GET /assets/brand/{name}': 'anybody',
  'GET /assets/{version}/{name}': 'anybody',
  'GET /favicon.ico': 'anybody',
  'GET /healthz': 'anybody',
  'GET /healthz/{instance}': 'anybody',
  'GET /readyz': 'anybody',
  'GET /robots.txt': 'anybody',
  'GET /metrics': 'operator or token',
  'GET /openapi.json': 'anybody',
  'GET /docs': 'anybody',
  'GET /api/feeds': 'reader',
  'POST /api/feeds': 'support',
  'GET /api/feeds/{id}': 'reader',
  'PATCH /api/feeds/{id}': 'support',
  'DELETE /api/feeds/{id}': 'support',
  'GET /api/feeds/{id}/preview': 'reader',
  'GET /api/feeds/{id}/explanation': 'reader',
  'POST /api/feeds/{id}/links': 'support',
  'POST /api/feeds/{id}/rotations': 'support',
  'DELETE /api/feeds/{id}/links/{label}': 'support',
  'POST /api/feed-changes': 'support',
  'GET /api/companies': 'reader',
  'GET /api/companies/{id}': 'reader',
  'PATCH /api/companies/{id}': 'admin',
  'GET /api/companies/{id}/examination': 'reader',
  'GET /api/companies/{id}/people': 'reader',
  'GET /api/companies/{id}/people/{userId}/data': 'admin',
  'GET /api/audit': 'reader',
  'GET /api/tokens': 'admin',
  'POST /api/tokens': 'admin',
  'DELETE /api/tokens/{name}': 'admin',
  'POST /api/erasures': 'admin',
} as const satisfies Readonly<Record<string, Needed>>

export type StaffRoute = Extract<keyof typeof neededOnRoutes, `${string} /api/${string}`>

/** Pages and forms of the console. */
export type ConsoleRoute = Exclude<
  Extract<keyof typeof neededOnRoutes, `${string} /console${string}`>,
  `${string} /console/sign-in`
>
