import type { RequestHandler } from 'express'

import { asAppError } from '../../../domain/errors.ts'
import type { OwnCalendar, OwnSettings } from '../../../feeds/own/own-calendar.ts'
import type { MadeLink } from '../../../feeds/own/own-links.ts'
import { WrongForm } from '../../../feeds/own/wrong-form.ts'
import { isolated } from '../../../text/isolated-text.ts'
import type { RequestLimit } from '../../../web/request-limit.ts'
import { viewLinks, viewWays } from '../feed-page.ts'
import { sendPage } from '../page-renderer.ts'
import { preferredLanguage } from '../preferred-language.ts'
import { meAddress } from './me-address.ts'
import { type MeForm, readForm } from './me-fields.ts'
import { type MePageDeps, type MeRequest, sendMe } from './me-page.ts'
import { findPerson, leadAway } from './visitor.ts'

/** What was made, whose address is shown now and never again; undefined where nothing new is to be shown. */
type Outcome = MadeLink | undefined

/** `POST /me`: what the person who has signed in does with their calendar; behind `onlyFromOurs`. */
export function changeMe(deps: MePageDeps, limit: RequestLimit): RequestHandler {
  return async (request, response) => {
    const person = await findPerson(deps, request)
    if (!person) return leadAway(deps, request, response)
    limit.take(JSON.stringify(person))
    const form = readForm(request)
    const asked = { request, response, person }
    try {
      const made = await perform(deps.ownCalendarOf(person), form)
      await (made ? sendMade(deps, asked, form, made) : leadBack(deps, asked, form))
    } catch (error) {
      await sendRefused(deps, asked, form, error)
    }
  }
}

/** Answers with the page, which says why the form was not taken; fails where it has no words for that. */
async function sendRefused(
  deps: MePageDeps,
  asked: MeRequest,
  form: MeForm,
  error: unknown,
): Promise<void> {
  if (form.action === 'make' && asAppError(error)?.code === 'forbidden') {
    asked.response.status(403)
    return sendMe(deps, asked)
  }
  if (!(error instanceof WrongForm) || form.action === 'settings') throw error
  const label = 'label' in form ? form.label : ''
  const isOnlyAway = form.action === 'link' && form.onlyAway === 'yes'
  const refused = { about: error.about, label, isOnlyAway, feed: feedOf(form) }
  return sendMe(deps, asked, { form: form.action, ...refused })
}

async function perform(own: OwnCalendar, form: MeForm): Promise<Outcome> {
  switch (form.action) {
    case 'make':
      return own.make(form.key)
    case 'link':
      return own.addLink(form.feed, { ...form, isOnlyAway: form.onlyAway === 'yes' })
    case 'replace':
      refuseUnconfirmed(form)
      return own.replaceLink(form.feed, form.label, form.key)
    case 'end':
      refuseUnconfirmed(form)
      await own.endLink(form.feed, form.label)
      break
    case 'settings':
      await own.change(form.feed, settingsOf(form))
      break
  }
  return undefined
}

function settingsOf({
  locale,
  reminderMinutes,
}: Extract<MeForm, { action: 'settings' }>): OwnSettings {
  return { locale, reminderMinutes: reminderMinutes === 'none' ? null : Number(reminderMinutes) }
}

function refuseUnconfirmed(form: { readonly confirm?: 'yes' | undefined }): void {
  if (form.confirm !== 'yes') throw new WrongForm('unconfirmed')
}

async function sendMade(
  deps: MePageDeps,
  { request, response }: MeRequest,
  form: MeForm,
  { feed: of, label: made, token }: MadeLink,
): Promise<void> {
  response.setHeader('Cache-Control', 'no-store')
  sendPage(deps, response, {
    template: 'me-made',
    referrer: 'same-origin',
    modules: ['feed-page.js'],
    locale: preferredLanguage(request),
    label: made === 'default' ? null : isolated(made),
    me: meAddress(deps, request, feedOf(form)),
    ...(await viewLinks(deps, { feed: of }, token)),
    ...viewWays(request, deps.publicUrl, true),
  })
}

/** To the page as it is now, where its form says that it was saved (RFC 9110 section 15.4.4). */
function leadBack(deps: MePageDeps, { request, response }: MeRequest, form: MeForm): void {
  const address = meAddress(deps, request, feedOf(form))
  response.setHeader('Cache-Control', 'no-store')
  // Who presses twice finds what the first press has made.
  if (form.action === 'make') return response.redirect(303, address)
  response.redirect(303, `${address}&saved#saved`)
}

function feedOf(form: MeForm): string | undefined {
  return form.action === 'make' ? undefined : form.feed
}
