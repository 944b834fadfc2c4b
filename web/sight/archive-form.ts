import type { Context } from 'koa'
import { goTo, pageOf, type Site } from '../site.ts'
import { isUnread, keyIn, newFormKey, readAllowed, refusedForm } from './board-form.ts'
import { idIn, showUnread } from './dashboard-lists.ts'

/** Something of the catalogue that can be archived and restored. */
type Archivable = { name: string; active: boolean }

type Kind = {
  /** Its pages and its collection in the API. */
  folder: string
  collection: string
  /** Such as `product`. */
  one: string
  /** What happens when it is archived. */
  effects: string[]
}

/**
 * `/{id}/archive`: a page that says what happens, then the archiving; and `/{id}/restore`. Both lead back to the page
 * of the resource, with `archived` or `restored` in `done`.
 */
export function addArchiving(site: Site, { folder, collection, one, effects }: Kind): void {
  const { home, sessions, read, submit, show } = site
  const at = folder.slice(home.length)
  const pageOfId = (ctx: Context) => `${folder}/${idIn(ctx)}`
  const apiPath = (ctx: Context) => `${collection}/${idIn(ctx)}`

  const readToChange = (ctx: Context) => readAllowed<Archivable>(site, ctx, apiPath(ctx), 'products:write')

  async function ask(ctx: Context, tried: { problem?: string | null; status?: number } = {}): Promise<void> {
    const answer = await readToChange(ctx)
    if (!answer.ok) return showUnread(site, ctx, answer.refused)
    const { name, active } = answer.body
    if (!active) return goTo(ctx, pageOfId(ctx))
    const { problem = null, status = 200 } = tried
    const data = { isSignedIn: true, at, path: pageOfId(ctx), name, one, effects, problem, formKey: newFormKey() }
    show(ctx, pageOf('dashboard/archive', `Archive the ${one}?`, data, status))
  }

  read(`${at}/:id/archive`, (ctx) => ask(ctx))
  submit(`${at}/:id/archive`, async (ctx, form) => {
    const answer = await sessions.call(ctx, 'DELETE', apiPath(ctx), undefined, keyIn(form))
    if (answer.ok) return goTo(ctx, `${pageOfId(ctx)}?done=archived`)
    if (isUnread(answer.refused)) return showUnread(site, ctx, answer.refused)
    await ask(ctx, refusedForm(answer.refused, {}))
  })
  submit(`${at}/:id/restore`, async (ctx, form) => {
    const answer = await sessions.call(ctx, 'PATCH', apiPath(ctx), { active: true }, keyIn(form))
    if (!answer.ok) return showUnread(site, ctx, answer.refused)
    goTo(ctx, `${pageOfId(ctx)}?done=restored`)
  })
}
