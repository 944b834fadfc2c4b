import type { Context } from 'koa'
import type { Answer } from '../api.ts'
import { typedText } from '../form.ts'
import { goTo, pageOf, type Site } from '../site.ts'
import { isUnread, keyIn, refusedForm } from './board-form.ts'
import { showUnread } from './dashboard-lists.ts'
import type { Shown } from './dashboard-resources.ts'
import { keyAfter } from './edit-form.ts'
import { endpointPath, readToChange } from './webhook-endpoint.ts'
import { conflictWords, type ShownDelivery, type ShownEndpoint, titleOf } from './webhook-words.ts'

/**
 * What a press of a button does with an endpoint: a test event, switching it on, and, each after a page that says what
 * happens, switching it off and deleting it. `showEndpoint` shows its page again.
 */
export function addEndpointActs(
  site: Site,
  folder: string,
  showEndpoint: (ctx: Context, shown?: Shown) => Promise<void>,
): void {
  const { home, sessions, read, submit, show } = site
  const path = folder.slice(home.length)
  const pageOfRow = ({ endpoint_id: id }: ShownEndpoint) => `${folder}/${id}`

  /** Asks whether it is meant, where somebody may do it. */
  const ask = (act: Act, isDue: (row: ShownEndpoint) => boolean = () => true) =>
    read(`${path}/:id/${act}`, async (ctx) => {
      const answer = await readToChange(site, ctx)
      if (!answer.ok) return showUnread(site, ctx, answer.refused)
      const row = answer.body
      if (!isDue(row)) return goTo(ctx, pageOfRow(row))
      const { title, button, texts } = asked[act]
      const data = { isSignedIn: true, at: path, heading: titleOf(row), texts: texts(row), button }
      const page = { ...data, action: `${pageOfRow(row)}/${act}`, back: pageOfRow(row) }
      show(ctx, pageOf('dashboard/webhook-confirm', title, page))
    })

  /** Switches an endpoint on or off. */
  async function turn(ctx: Context, isOn: boolean): Promise<void> {
    const answer = await sessions.call<ShownEndpoint>(ctx, 'PATCH', endpointPath(ctx), { enabled: isOn })
    if (answer.ok) return goTo(ctx, `${pageOfRow(answer.body)}?done=${isOn ? 'on' : 'off'}`)
    if (isUnread(answer.refused)) return showUnread(site, ctx, answer.refused)
    await showEndpoint(ctx, refusedForm(answer.refused, {}, { CONFLICT: 'It has no address yet: edit it first.' }))
  }

  submit(`${path}/:id/on`, (ctx) => turn(ctx, true))
  ask('off', (row) => row.enabled)
  submit(`${path}/:id/off`, (ctx) => turn(ctx, false))

  ask('delete')
  submit(`${path}/:id/delete`, async (ctx) => {
    const answer = await sessions.call(ctx, 'DELETE', endpointPath(ctx))
    if (answer.ok) return goTo(ctx, `${folder}?done=deleted`)
    if (answer.refused.status !== 404) return showUnread(site, ctx, answer.refused)
    // Whoever has pressed twice reads this after their endpoint was deleted.
    show(ctx, pageOf('site/refused', 'That did not work', { isSignedIn: true, problem: gone }, 404))
  })

  submit(`${path}/:id/test`, async (ctx, form) => {
    const type = typedText(form, 'type')
    const answer: Answer<{ delivery: ShownDelivery }> = await sessions.call(
      ctx,
      'POST',
      `${endpointPath(ctx)}/test`,
      { type },
      keyIn(form),
    )
    if (answer.ok) return goTo(ctx, `${folder}/deliveries/${answer.body.delivery.delivery_id}?done=tested`)
    const { refused } = answer
    if (isUnread(refused)) return showUnread(site, ctx, refused)
    const result = refusedForm(refused, { type: 'Choose one of these.' }, conflictWords(refused, isOff))
    await showEndpoint(ctx, { ...result, testType: type, formKey: keyAfter(form, result.status) })
  })
}

const gone = 'There is no such endpoint, or not any more.'
const isOff = 'The endpoint is switched off. Switch it on first.'

type Act = 'off' | 'delete'

/** What the page before each act says. */
const asked: Record<Act, { title: string; button: string; texts: (row: ShownEndpoint) => string[] }> = {
  off: {
    title: 'Switch off this endpoint?',
    button: 'Switch off',
    texts: () => [
      'Nothing is sent to it any more. A delivery that waits for its next attempt ends as not sent.',
      'Its events are kept for 90 days. Once it is on again, you can recover what it has missed.',
    ],
  },
  delete: {
    title: 'Delete this endpoint?',
    button: 'Delete the endpoint',
    texts: ({ is_configuration: isConfiguration }) => [
      'Nothing is sent to it any more. A delivery that waits for its next attempt ends as not sent.',
      'Its past deliveries can still be read with their events.',
      'Its settings and its signing secret are gone. This can’t be undone.',
      ...(isConfiguration ? ['The webhook configuration then has no address until you set one.'] : []),
    ],
  },
}
