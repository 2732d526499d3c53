import { AppError } from '../../domain/errors.ts'
import type { HttpDeps } from '../http-deps.ts'
import { sayAnother } from './another-link.ts'
import { type FeedPageDeps, type OpenPage, pageLocale, sendFeedPage } from './feed-page.ts'
import { sendPage } from './page-renderer.ts'
import { pageLanguages } from './words/languages.ts'

/** What the forms of the page are taken with. */
export type FeedFormDeps = FeedPageDeps & Pick<HttpDeps, 'holding'>

/** A form that came from the page of an open link. */
export interface SentForm extends OpenPage {
  readonly fields: Readonly<Record<string, unknown>>
}

/** Answers with what comes next in the calendar programs. */
export async function endLink(deps: FeedFormDeps, form: SentForm): Promise<void> {
  const { request, response, asSet, fields } = form
  if (!isConfirmed(fields)) return sendFeedPage(deps, form, { form: 'end' })
  await deps.holding.end(asSet)
  const locale = pageLocale(request, asSet)
  const another = sayAnother(deps, asSet, pageLanguages[locale])
  sendPage(deps, response, { template: 'ended', locale, another })
}

/** Whether the box beside the button was ticked, and nothing else was sent. */
export function isConfirmed({ confirm, ...others }: SentForm['fields']): boolean {
  if (Object.keys(others).length > 0) throw new AppError('invalid', 'The form has more fields.')
  return confirm === 'yes'
}
