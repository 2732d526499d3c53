import { Sessions } from './access/sessions.ts'
import type { AuditStore } from './domain/access/audit-entry.ts'
import type { TokenStore } from './domain/access/staff.ts'
import type { PeopleByMail } from './domain/person.ts'
import type { Surroundings } from './services.ts'
import type { Settings } from './settings/read-settings.ts'
import type { Store } from './store/open-store.ts'

/** Who may do what, and who did. */
export interface AccessServices {
  readonly sessions: Sessions
  readonly tokens: TokenStore
  readonly audit: AuditStore
  readonly peopleByMail: PeopleByMail
}

interface AccessParts {
  readonly settings: Settings
  readonly surroundings: Surroundings
  readonly publicUrl: string
  readonly store: Store
}

/** The use cases of access, on that store. */
export function openAccess({ settings, surroundings, store }: AccessParts): AccessServices {
  const { clock } = surroundings
  const { sessions, tokens, audit, peopleByMail } = store
  const { sessionMs } = settings
  return {
    sessions: new Sessions({ sessions, people: peopleByMail, clock, sessionMs }),
    tokens,
    audit,
    peopleByMail,
  }
}
