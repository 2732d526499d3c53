/* What feeds take from the defaults of their company. */
import type { AuditEvent } from './access/audit-entry.ts'
import { defaultName, inLanguage } from './feed-name.ts'
import { readOptions } from './feed-options.ts'
import { type CompanyDefaults, type Feed, type KeptDefaults, programLocale } from './feed.ts'

/** The feed with what follows from its own settings and the company's defaults. */
export function withDefaults(feed: Omit<Feed, 'options'>): Feed {
  const { audience, namedAfter, defaults, isLocaleSet, ownOptions } = feed
  const inItsLanguage = isLocaleSet ? feed : inLanguage(feed, defaults.locale ?? programLocale)
  const isUsual = namedAfter !== null && defaults.name !== null
  return {
    ...inItsLanguage,
    name: isUsual ? defaultName(namedAfter, inItsLanguage) : inItsLanguage.name,
    options: readOptions(audience, defaults[audience], ownOptions),
  }
}

/** What is kept of name and language: the company's defaults are not part of it. */
export function withoutDefaults(feed: Feed): Pick<Feed, 'name' | 'locale'> {
  const { namedAfter, team, defaults, isLocaleSet, name } = feed
  const locale = isLocaleSet ? feed.locale : programLocale
  const isAsNamed = namedAfter === null || (locale === feed.locale && defaults.name === null)
  return { locale, name: isAsNamed ? name : defaultName(namedAfter, { locale, team }) }
}

/** The calendar that a colleague would get about the feed's people, as the company sets it for others. */
export function asOthersSee(feed: Feed): Feed {
  if (feed.audience === 'others') return feed
  const { scheduleIds, rotation } = feed.options.shifts
  const shifts = { scheduleIds, ...(rotation && { rotation }) }
  return withDefaults({ ...feed, audience: 'others', ownOptions: { shifts } })
}

/** Open feeds that set the same themselves, and how many they are. */
export interface FeedsAlike extends Pick<Feed, 'audience' | 'isLocaleSet' | 'ownOptions'> {
  readonly isNamed: boolean
  readonly count: number
}

/** The defaults of each company. An audit event is noted in the same transaction as the change. */
export interface CompanyDefaultsStore {
  findDefaults(companyId: string): Promise<KeptDefaults>
  listFeedsAlike(companyId: string): Promise<readonly FeedsAlike[]>
  /** Replaces them by what `change` makes of them, one change after the other; null leaves them, as the very same. */
  changeDefaults(
    companyId: string,
    change: (before: KeptDefaults) => CompanyDefaults | null,
    auditEvent: AuditEvent,
  ): Promise<{ readonly before: KeptDefaults; readonly after: KeptDefaults }>
}
