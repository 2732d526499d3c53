import type { RequestHandler } from 'express'

import { companyFileSchema } from '../../wire/company-file-schema.ts'
import { componentSchemas } from '../openapi/component-schemas.ts'
import { choiceNote, conventions, introduction } from '../openapi/conventions.ts'
import { type DocumentDeps, title } from '../openapi/document.ts'
import { exampleProblem, problemResponses } from '../openapi/responses.ts'
import { sampleAnswers } from '../openapi/sample-answers.ts'
import { serveForBaseUrl } from './base-url.ts'
import { behaviourMembers, controlRequests } from './documented-controls.ts'
import { documentedOperations } from './documented-operations.ts'
import type { PageAssets } from './page-assets.ts'
import { renderPage } from './page-renderer.ts'

type DocsDeps = Omit<DocumentDeps, 'baseUrl'> & { readonly assets: PageAssets }

/** `GET /` and `GET /docs`: the Read API for people, made of what `/openapi.json` is made of. */
export function showDocs(deps: DocsDeps): RequestHandler {
  return serveForBaseUrl((baseUrl) => ({
    type: 'text/html; charset=utf-8',
    headers: { 'X-Robots-Tag': 'noindex, nofollow', 'Content-Language': 'en' },
    make: () => renderDocs({ ...deps, baseUrl }),
  }))
}

function renderDocs({ assets, baseUrl, asksForKeys, today }: DocsDeps & DocumentDeps): string {
  const answers = sampleAnswers(today)
  return renderPage(assets, {
    template: 'docs',
    title,
    styles: ['docs.css'],
    modules: ['docs.js'],
    baseUrl,
    asksForKeys,
    introduction,
    choiceNote,
    conventions: conventions(asksForKeys),
    operations: documentedOperations(answers, componentSchemas(answers)),
    problems: Object.values(problemResponses),
    problem: JSON.stringify(exampleProblem(problemResponses[400]), null, 2),
    companyFile: JSON.stringify(companyFileExample(), null, 2),
    controlRequests,
    behaviourMembers,
    behaviour: JSON.stringify(behaviourExample),
    rich,
  })
}

/** All members at once. */
const behaviourExample = Object.fromEntries(
  behaviourMembers.map(({ written, example }) => [written, example]),
)

/** A file so small that it can be read at a glance. */
function companyFileExample(): object {
  const { users, leaves } = Object([companyFileSchema()['examples']].flat()[0])
  return { users, leaves }
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

/** A sentence as HTML; what stands between backticks is code. */
function rich(text: string): string {
  const escaped = text.replaceAll(/[&<>"]/g, (sign) => escapes[sign] ?? sign)
  return escaped.replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}
