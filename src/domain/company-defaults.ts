/* The defaults of a company, and what feeds take from them. */
import type { AuditEvent } from './access/audit-entry.ts'
import { defaultName, inLanguage } from './feed-name.ts'
import { readOptions } from './feed-options.ts'
import { type CompanyDefaults, type Feed, type KeptDefaults, programLocale } from './feed.ts'

/** The feed with name, language and options as its own settings and the company's defaults make them. */
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

/** Name and language as they are stored: without the company's defaults. */
export function withoutDefaults(feed: Feed): Pick<Feed, 'name' | 'locale'> {
  const { namedAfter, team, defaults, isLocaleSet, name } = feed
  const locale = isLocaleSet ? feed.locale : programLocale
  const isAsNamed = namedAfter === null || (locale === feed.locale && defaults.name === null)
  return { locale, name: isAsNamed ? name : defaultName(namedAfter, { locale, team }) }
}

/** The calendar about the feed's people that a colleague would get by the company's defaults for others. */
export function asOthersSee(feed: Feed): Feed {
  if (feed.audience === 'others') return feed
  const { scheduleIds, rotation } = feed.options.shifts
  const shifts = { scheduleIds, ...(rotation && { rotation }) }
  return withDefaults({ ...feed, audience: 'others', ownOptions: { shifts } })
}

/** How many open feeds set the same themselves. */
export interface FeedsAlike extends Pick<Feed, 'audience' | 'isLocaleSet' | 'ownOptions'> {
  readonly isNamed: boolean
  readonly count: number
}

/** The defaults of each company. A change and its audit event are stored in one transaction. */
export interface CompanyDefaultsStore {
  findDefaults(companyId: string): Promise<KeptDefaults>
  listFeedsAlike(companyId: string): Promise<readonly FeedsAlike[]>
  /** Replaces them by what `change` makes of them, one change after the other. If that is null, `after` is `before` itself. */
  changeDefaults(
    companyId: string,
    change: (before: KeptDefaults) => CompanyDefaults | null,
    auditEvent: AuditEvent,
  ): Promise<{ readonly before: KeptDefaults; readonly after: KeptDefaults }>
}
