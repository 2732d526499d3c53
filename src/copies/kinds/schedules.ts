import { fittingRecords } from '../../domain/copy.ts'
import { anyScope, type Kind } from './kind.ts'

/** The company's schedules: one list, since the Read API ties none to a user. */
export const schedules: Kind<'schedules'> = {
  shownAs: 'shifts',
  neededBy: ['shifts'],
  isPersonal: false,
  mayBeMissing: false,
  freshMs: null,
  subjectsOf: ({ options: { shifts } }) =>
    shifts.rotation !== null || shifts.scheduleIds.length > 0 ? [''] : [],
  scopeOf: () => anyScope,
  read: async (_, { api, signal }) =>
    fittingRecords<'schedules'>(await api.list('schedules', {}, signal)),
  keep: ({ id, name, type, isActive, pattern }) => ({ id, name, type, isActive, pattern }),
}
