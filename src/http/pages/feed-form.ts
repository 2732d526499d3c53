import type { Request, Response } from 'express'

import { AppError } from '../../domain/errors.ts'
import { linkName } from '../../domain/link.ts'
import { pageUrl } from '../../feeds/feed-address.ts'
import { openLinkAsSet } from '../../publishing/open-link.ts'
import { isFromOwnPage } from './cross-site.ts'
import { sendMessagePage } from './error-page.ts'
import { type FeedPageRequest, sendFeedPage } from './feed-page.ts'
import { endLink, type FeedFormDeps, type SentForm } from './link-end.ts'
import { answerAgain, replaceLink } from './link-replacement.ts'
import { basePath } from './page-renderer.ts'
import { askedLanguage, languageQuery } from './preferred-language.ts'

type Action = 'save' | 'replace' | 'end'

const actions: Readonly<Record<Action, (deps: FeedFormDeps, form: SentForm) => Promise<void>>> = {
  save: saveChoices,
  replace: replaceLink,
  end: endLink,
}

/** `POST /feeds/{token}`: keeps what the holder of the link chose, ends the link, or puts a new address in its place. */
export function changeFeedPage(deps: FeedFormDeps) {
  return async (request: FeedPageRequest, response: Response): Promise<void> => {
    if (!isFromOwnPage(request.headers, deps.publicUrl)) {
      const refusal = { status: 403, about: 'foreign_request' } as const
      return sendMessagePage(deps, request, response, refusal)
    }
    try {
      await takeForm(deps, request, response)
    } catch (error) {
      if (!(await answerAgain(deps, { request, response }, error))) throw error
    }
  }
}

async function takeForm(
  deps: FeedFormDeps,
  request: FeedPageRequest,
  response: Response,
): Promise<void> {
  const asSet = await openLinkAsSet(deps.links, request.params.token)
  deps.limits.polls.take(linkName(asSet.link))
  const { action = 'save', ...fields } = fieldsOf(request)
  await actions[asAction(action)](deps, { request, response, asSet, fields })
}

/** The form's fields; any other body would read as a form with every switch off. */
function fieldsOf(request: Request<{ token: string }>): Readonly<Record<string, unknown>> {
  if (request.is('application/x-www-form-urlencoded')) return { ...request.body }
  throw new AppError('unsupported_media_type', 'The choice must be sent as a form.')
}

function asAction(action: unknown): Action {
  if (action === 'save' || action === 'replace' || action === 'end') return action
  throw new AppError('invalid', 'There is no such change of a link.')
}

/** Leads back to the page, to where its form says that it was saved (RFC 9110 section 15.4.4). */
async function saveChoices(deps: FeedFormDeps, form: SentForm): Promise<void> {
  const { request, response, asSet, fields } = form
  const { isKept, choices, before } = await deps.holding.choose(asSet, fields)
  if (!isKept) {
    const asStored = { ...asSet, ...before }
    return sendFeedPage(deps, { ...form, asSet: asStored }, { form: 'choices', choices })
  }
  const isInAnother = choices.locale !== before.link.choices.locale
  const query = languageQuery('&', isInAnother ? undefined : askedLanguage(request))
  const page = pageUrl(basePath(deps.publicUrl), request.params.token)
  response.setHeader('Cache-Control', 'no-store')
  response.redirect(303, `${page}?saved${query}#saved`)
}
