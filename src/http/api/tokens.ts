import type { Request, Response } from 'express'

import {
  type CreatedTokenView,
  tokenCompanySchema,
  type TokenPage,
} from '../../access/token-view.ts'
import { parseQuery } from '../../feeds/feed-input.ts'
import { staffOf } from '../authentication.ts'
import type { HttpDeps } from '../http-deps.ts'
import { jsonBody, refuseQuery, tokenNameOf } from './input.ts'

type TokenApiDeps = Pick<HttpDeps, 'access'>

/** `POST /api/tokens`: one more token; its secret stands in no other reply. */
export function createToken({ access }: TokenApiDeps) {
  return async (request: Request, response: Response<CreatedTokenView>): Promise<void> => {
    refuseQuery(request)
    const made = await access.apiTokens.create(staffOf(response), jsonBody(request))
    response.status(201).json(made)
  }
}

/** `GET /api/tokens`: all that there are. */
export function listTokens({ access }: TokenApiDeps) {
  return async (request: Request, response: Response<TokenPage>): Promise<void> => {
    refuseQuery(request)
    response.json(await access.apiTokens.list(staffOf(response)))
  }
}

/** `DELETE /api/tokens/{name}`: it opens nothing any more. */
export function revokeToken({ access }: TokenApiDeps) {
  return async (request: Request<{ name: string }>, response: Response): Promise<void> => {
    const { companyId } = parseQuery(tokenCompanySchema, request.query)
    await access.apiTokens.revoke(staffOf(response), tokenNameOf(request), companyId)
    response.status(204).end()
  }
}
