import type { Context } from 'koa'
import {
  type ActionResource,
  actionsOn,
  isActionResource,
  operatorActions,
  type OperatorActionName,
} from '../../domain/operator-action.ts'
import type { Answer } from '../api.ts'
import { formResultOf } from '../form-result.ts'
import { goTo, stepOf, type Site } from '../site.ts'
import { money, plainWord, timeOf } from '../words.ts'
import { confirmWords, endStatement, endWord, formWords, nounOf, noticeOf, refusalOf } from './action-words.ts'
import {
  type Fact,
  type FormState,
  idIn,
  isForbidden,
  merchantFact,
  type Overview,
  readTimeline,
  typedIn,
} from './page.ts'

/** The pages of one folder, such as `payouts`, on which staff act. */
type ActionPages = {
  folder: string
  /** Shows the page again, after a form that was refused. */
  show: (ctx: Context, formState: FormState) => Promise<void>
  /** What tells this resource from others, for the confirmation. */
  factsOf: (ctx: Context, overview: Overview) => Promise<Answer<Fact[]>>
}

/** The API's collection of each kind of resource. */
const collections: Record<ActionResource, string> = {
  payout: 'payouts',
  refund: 'refunds',
  conversion: 'conversions',
  payment: 'payments',
  webhook_delivery: 'webhook-deliveries',
  dispute: 'disputes',
}

/** How an address names an action. */
const slugOf = (action: OperatorActionName): string => action.replace('_', '-')

const actionIn = (slug: unknown): OperatorActionName | null =>
  operatorActions.find((action) => slugOf(action) === slug) ?? null

/** The form of a page that has a button for each action. */
const ownForm = 'act'

/** The forms of a page, by their names: the one of all actions, and one that approves each. */
const formNames = new Set([ownForm, ...operatorActions.map((action) => `approve-${slugOf(action)}`)])

type Acting = { overview: Overview; resource: ActionResource; action: OperatorActionName }

/** `/{folder}/{id}/{action}`: the forms of the actions on a page. */
export function addActions(site: Site, { folder, show, factsOf }: ActionPages): void {
  const { home, problems, sessions, submit, showRefused } = site
  const pageOfId = (ctx: Context) => `${home}/${folder}/${idIn(ctx)}`

  submit(`/${folder}/:id/:action`, async (ctx, form) => {
    const overview = await readTimeline(site, ctx)
    if (!overview.ok) return showRefused(ctx, overview.refused)
    const acting = actingOn(overview.body, actionIn((ctx['params'] as { action?: string }).action))
    if (!acting) return goTo(ctx, pageOfId(ctx))
    const { resource, action } = acting
    if (action === 'mark_failed' && typedIn(form).reason && !form.has('confirmed')) return confirm(ctx, form, acting)
    const path = `/api/v1/admin/${collections[resource]}/${idIn(ctx)}/${slugOf(action)}`
    const answer = await sessions.call<{ state: string }>(ctx, 'POST', path, bodyIn(form, action))
    if (answer.ok) return goTo(ctx, `${pageOfId(ctx)}?done=${slugOf(action)}.${answer.body.state}`)
    if (isForbidden(answer.refused)) return showRefused(ctx, answer.refused)
    const now = await readTimeline(site, ctx)
    const result = formResultOf(answer.refused, {
      ...problems,
      ...(now.ok && { CONFLICT: refusalOf(resource, action, now.body) }),
    })
    await show(ctx, { ...result, form: form.get('form') ?? '', typed: typedIn(form) })
  })

  /** Asks to confirm `mark-failed`, because money that was given back cannot be taken again. */
  async function confirm(ctx: Context, form: URLSearchParams, { overview, resource }: Acting): Promise<void> {
    const facts = await factsOf(ctx, overview)
    if (!facts.ok) return showRefused(ctx, facts.refused)
    const noun = nounOf(resource)
    const page = stepOf('ops/confirm', `Mark this ${noun} as ${endWord(resource, 'mark_failed')}?`, {
      isSignedIn: true,
      facts: facts.body.filter(([, value]) => value),
      noun,
      as: endWord(resource, 'mark_failed'),
      statement: endStatement(resource, 'mark_failed'),
      effect: confirmWords(resource),
      path: pageOfId(ctx),
      reason: typedIn(form).reason,
      from: form.get('form') ?? '',
      isApproval: overview.proposals.some(({ action, is_own: isOwn }) => action === 'mark_failed' && !isOwn),
    })
    site.show(ctx, page)
  }
}

/** The action, if there is one of this name on this kind of resource. */
function actingOn(overview: Overview, action: OperatorActionName | null): Acting | null {
  const { resource } = overview
  if (action === null || !isActionResource(resource)) return null
  const known: readonly OperatorActionName[] = actionsOn[resource]
  return known.includes(action) ? { overview, resource, action } : null
}

/** What a form says. It is not checked here: the API refuses one that is not complete. */
const bodyIn = (form: URLSearchParams, action: OperatorActionName): object => {
  const { reason, proof_ref } = typedIn(form)
  return { reason, ...(action === 'mark_settled' && { proof_ref }) }
}

/** What has become of the form before, as the address of the page tells it. */
export function actionNotice({ query }: Context, resource: string): string | null {
  const [slug, state = ''] = String(query['done'] ?? '').split('.')
  const action = actionIn(slug)
  return action && isActionResource(resource) ? noticeOf(resource, action, state) : null
}

/** What tells any resource from others. */
export const factsOfAny = (overview: Overview): Fact[] => [
  merchantFact(overview.account_id, overview.environment),
  ['Id', overview.resource_id],
  ['Status', plainWord(overview.status)],
  ['Amount', amountOf(overview)],
]

export const amountOf = ({ amount, currency }: Overview): string | null =>
  amount !== null && currency !== null ? money(amount, currency) : null

/**
 * The data of `ops/actions.eta`: the hold, what waits for a second person, and one form with a button for each action
 * that is possible. `path` is the page's address, `form` the form that was just sent.
 */
export function shownActions(overview: Overview, path: string, { form = '', typed }: FormState) {
  const { resource, actions, proposals, on_hold_since: onHoldSince } = overview
  if (!isActionResource(resource)) return null
  // Whoever has proposed an action can correct it; everybody else approves it by a form of its own.
  const isForApproval = (action: OperatorActionName) =>
    proposals.some((proposal) => proposal.action === action && !proposal.is_own)
  const common = (action: OperatorActionName) => ({
    target: `${path}/${slugOf(action)}`,
    isFailure: action === 'mark_failed',
  })
  const shownProposals = proposals.map((proposal) => ({
    ...proposal,
    ...common(proposal.action),
    name: `approve-${slugOf(proposal.action)}`,
    as: endWord(resource, proposal.action),
    statement: endStatement(resource, proposal.action),
    time: timeOf(proposal.created_at),
    isPossible: actions.includes(proposal.action),
  }))
  const forms = actions
    .filter((action) => !isForApproval(action))
    .map((action) => ({
      ...formWords(resource, action),
      ...common(action),
      name: slugOf(action),
      hasProof: action === 'mark_settled',
    }))
  const isThere = (forms.length > 0 && form === ownForm) || shownProposals.some(({ name }) => name === form)
  return {
    onHold: timeOf(onHoldSince),
    proposals: shownProposals,
    forms,
    name: ownForm,
    // Typed into a form that is no longer there: shown, so that nobody has to think of it again.
    typedInVain: formNames.has(form) && !isThere ? (typed?.reason ?? '') : '',
  }
}
