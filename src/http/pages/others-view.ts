/* "As others see it": what a colleague's calendar shows of a person. */
import type { Request } from 'express'

import { asOthersSee } from '../../domain/company-defaults.ts'
import type { FeedOptions } from '../../domain/feed-options.ts'
import type { Feed, Locale } from '../../domain/feed.ts'
import { everyCategory, leaveDetails } from '../../domain/leave.ts'
import type { FirstDays } from '../../publishing/first-days.ts'
import type { PageDeps } from './page.ts'
import { pageLanguages } from './words/words.ts'

export function asksForOthers({ query }: Pick<Request, 'query'>): boolean {
  return query['view'] === 'others'
}

/** What a colleague's calendar would show, but never more than a link of this feed may. */
export function othersWithin(feed: Feed): Feed {
  const others = asOthersSee(feed)
  return { ...others, options: lowered(others.options, feed.options) }
}

function lowered(others: FeedOptions, own: FeedOptions): FeedOptions {
  const { window, leaves, shifts, timesheets, tasks, invoices } = others
  const known = own.leaves.statuses
  const detail = leaveDetails.find((it) => it === leaves.detail || it === own.leaves.detail)
  return {
    ...others,
    window: {
      pastDays: Math.min(window.pastDays, own.window.pastDays),
      futureDays: Math.min(window.futureDays, own.window.futureDays),
    },
    leaves: {
      ...leaves,
      show: leaves.show && own.leaves.show,
      statuses: leaves.statuses.filter((it) => known.includes(it)),
      detail: detail ?? leaves.detail,
      // Each list may be stricter than the other in part.
      privateCategories:
        own.leaves.privateCategories.length > 0 ? [everyCategory] : leaves.privateCategories,
    },
    shifts: { ...shifts, show: shifts.show && own.shifts.show },
    timesheets: { ...own.timesheets, show: timesheets.show && own.timesheets.show },
    tasks: { ...own.tasks, show: tasks.show && own.tasks.show },
    invoices: { ...own.invoices, show: invoices.show && own.invoices.show },
  }
}

interface OthersInput {
  /** Null if the page has no such view. */
  readonly others: Feed | null
  readonly locale: Locale
  /** The page's own address. */
  readonly page: string
}

/**
 * Returns the two views of the preview, and for the view of others its first days and its calendar as text. The page's script
 * shows that text, so the page has nothing else of the person.
 */
export async function viewAsOthers(
  { preview }: PageDeps,
  request: Request,
  { others, locale, page }: OthersInput,
): Promise<{ readonly seen: object | null; readonly firstDays?: FirstDays | undefined }> {
  if (!others) return { seen: null }
  const words = pageLanguages[locale].seen
  const isOthers = asksForOthers(request)
  const ofOthers = `${page}${page.includes('?') ? '&' : '?'}view=others`
  const views = [
    { text: words.asYou, address: `${page}#preview`, isCurrent: !isOthers },
    { text: words.asOthers, address: `${ofOthers}#preview`, isCurrent: isOthers },
  ]
  if (!isOthers) return { seen: { views, isOthers } }
  const { text, firstDays } = await preview(others)
  const { leaves, shifts, timesheets, tasks, invoices } = others.options
  const isMore =
    leaves.detail !== 'absent' || [shifts, timesheets, tasks, invoices].some(({ show }) => show)
  const sentence = words[isMore ? 'more' : 'bare']
  return { seen: { views, isOthers, calendar: text, sentence }, firstDays }
}
