import type { RequestHandler } from 'express'

import type { SandboxKeys } from '../../settings/fields.ts'
import { isFromHere } from '../../web/loopback.ts'
import { sendHtml } from '../../web/pages/templates.ts'
import { type Controls, onlyHere } from '../controls/controls.ts'
import { operations } from '../operations.ts'
import { sampleCompanyId } from '../records/companies.ts'
import { recordKinds } from '../records/record-kinds.ts'
import { type PageAssets, renderPage } from './page-renderer.ts'

const requestsShown = 25

/**
 * `GET /sandbox`: the controls for people. Without keys it is shown to this machine alone, `forbidden` elsewhere; with
 * keys to everybody, but empty until the admin token is given.
 */
export function showSandbox(
  assets: PageAssets,
  keys: SandboxKeys,
  { imitation, requests }: Controls,
): RequestHandler {
  const asksForToken = keys.size > 0
  return (request, response) => {
    if (!asksForToken && !isFromHere(request)) throw onlyHere()
    const html = renderPage(assets, {
      template: 'sandbox',
      title: 'Sandbox',
      styles: ['sandbox.css'],
      modules: ['sandbox.js'],
      asksForToken,
      // What the page's script offers to choose from.
      facts: JSON.stringify({ operations: operations.map(({ id }) => id), kinds: recordKinds }),
      requests: asksForToken ? [] : requests.latest(requestsShown),
      behaviour: asksForToken ? '{}' : JSON.stringify(imitation.shown),
      kinds: recordKinds,
      company: sampleCompanyId,
    })
    sendHtml(response, html, 'en')
  }
}
