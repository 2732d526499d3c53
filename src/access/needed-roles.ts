import type { Role } from '../domain/access/staff.ts'

/** A role: that one or a higher one. */
type Needed =
  | Role
  | 'anybody'
  /** Anyone who has the address of a calendar or its page. */
  | 'holder'
  | 'person'
  /** Signed in, or with a token; what they see follows from their role. */
  | 'staff'
  /** On the machine itself, or staff of all companies. */
  | 'operator or token'

/** Every route by method and path; there is none below /api but these. */
export const neededOnRoutes = {
  'GET /feeds/{token}/{name}.ics': 'holder',
  'GET /feeds/{token}/{name}.json': 'holder',
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
  'GET /console': 'staff',
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
  'GET /api/companies/{id}/examination': 'reader',
  'GET /api/audit': 'reader',
  'GET /api/tokens': 'admin',
  'POST /api/tokens': 'admin',
  'DELETE /api/tokens/{name}': 'admin',
  'POST /api/erasures': 'admin',
} as const satisfies Readonly<Record<string, Needed>>

export type StaffRoute = Extract<keyof typeof neededOnRoutes, `${string} /api/${string}`>
