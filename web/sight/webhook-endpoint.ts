import type { Context } from 'koa'
import type { Answer } from '../api.ts'
import type { Site } from '../site.ts'
import { readAllowed } from './board-form.ts'
import { idIn } from './dashboard-lists.ts'
import type { ShownEndpoint } from './webhook-words.ts'

/** The API's path of the endpoint that a page is about. */
export const endpointPath = (ctx: Context): string => `/v1/webhooks/endpoints/${idIn(ctx)}`

/** The endpoint that a form is about, for somebody who may change it. */
export const readToChange = (site: Site, ctx: Context): Promise<Answer<ShownEndpoint>> =>
  readAllowed(site, ctx, endpointPath(ctx), 'webhooks:write')

/** The endpoint of a delivery, also the receiver of a scenario, which is in no list; null where it is deleted. */
export async function readEndpoint(site: Site, ctx: Context, id: string): Promise<Answer<ShownEndpoint | null>> {
  const answer = await site.sessions.call<ShownEndpoint>(ctx, 'GET', `/v1/webhooks/endpoints/${id}`)
  return !answer.ok && answer.refused.status === 404 ? { ok: true, body: null } : answer
}
