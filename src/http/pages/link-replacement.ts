import { z } from 'zod'

import { AppError, asAppError } from '../../domain/errors.ts'
import { linkName } from '../../domain/link.ts'
import type { Replacement } from '../../feeds/holding/link-holding.ts'
import { type OpenPage, pageLocale, sendFeedPage, viewLinks, viewWays } from './feed-page.ts'
import { type FeedFormDeps, isConfirmed, type SentForm } from './link-end.ts'
import { sendPage } from './page-renderer.ts'

const keySchema = z.string().regex(/^[\w-]{43}$/)
const sentAgain = z.object({ action: z.literal('replace'), key: keySchema })

/** Answers with the page of a new address, which stands in the answers to this form and nowhere else. */
export async function replaceLink(deps: FeedFormDeps, form: SentForm): Promise<void> {
  const { key, ...fields } = form.fields
  if (!isConfirmed(fields)) return sendFeedPage(deps, form, { form: 'replace' })
  const token = await deps.holding.replace(form.asSet, readKey(key))
  await sendReplaced(deps, form, { ...form.asSet, token })
}

/**
 * Answers a form of a new address that was sent again, as by a second press of its button or a reload, as it was the first
 * time: the link that it is sent to has ended by itself. False where it is not that.
 */
export async function answerAgain(
  deps: FeedFormDeps,
  page: Pick<OpenPage, 'request' | 'response'>,
  error: unknown,
): Promise<boolean> {
  const sent = sentAgain.safeParse(page.request.body)
  if (!sent.success || !asAppError(error)) return false
  const replacement = await deps.holding.findReplacement(page.request.params.token, sent.data.key)
  if (!replacement) return false
  deps.limits.polls.take(linkName(replacement.link))
  await sendReplaced(deps, page, replacement)
  return true
}

async function sendReplaced(
  deps: FeedFormDeps,
  { request, response }: Pick<OpenPage, 'request' | 'response'>,
  replacement: Replacement,
): Promise<void> {
  sendPage(deps, response, {
    template: 'replaced',
    modules: ['feed-page.js'],
    // The language is still that of the page on which the button was pressed.
    locale: pageLocale(request, replacement),
    ...(await viewLinks(deps, replacement, replacement.token)),
    ...viewWays(request, deps.publicUrl, true),
  })
}

/** Who sends none, such as a program, takes a secret of chance. */
function readKey(key: unknown): string | undefined {
  const read = keySchema.optional().safeParse(key)
  if (read.success) return read.data
  throw new AppError('invalid', 'The form’s key cannot be read.')
}
