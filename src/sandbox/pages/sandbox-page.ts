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
 * Serves `GET /sandbox`, the controls for people. Without keys, fails with `forbidden` for other machines. With keys,
 * everybody gets the page, but it is empty until the admin token is entered.
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
      // Options that the page's script offers.
      facts: JSON.stringify({ operations: operations.map(({ id }) => id), kinds: recordKinds }),
      requests: asksForToken ? [] : requests.latest(requestsShown),
      behaviour: asksForToken ? '{}' : JSON.stringify(imitation.shown),
      kinds: recordKinds,
      company: sampleCompanyId,
    })
    sendHtml(response, html, 'en')
  }
}
