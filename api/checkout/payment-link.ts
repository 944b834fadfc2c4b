import { isDeepStrictEqual } from 'node:util'
import { LockMode } from '@mikro-orm/core'
import Type, { type Static } from 'typebox'
import type { Tenant } from '../../db/core/columns.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { PaymentLink as PaymentLinkRow } from '../../db/checkout/payment-link.ts'
import { newId } from '../../domain/id.ts'
import { mergeMetadata, validateMetadata } from '../../domain/metadata.ts'
import { completionsMax, newSlug, type LinkSale } from '../../domain/checkout/payment-link.ts'
import type { Currency } from '../../domain/currency.ts'
import { amountError, format } from '../../domain/money.ts'
import { priceTypes } from '../../domain/catalogue/product.ts'
import { type FieldError, Refusal } from '../../domain/refusal.ts'
import {
  ChangedMetadata,
  idParameter,
  Metadata,
  Moment,
  nullable,
  page,
  pageQuery,
  sentCurrency,
  WebAddress,
} from '../../schemas/common.ts'
import { PaymentLink, presentPaymentLink } from '../../schemas/checkout/payment-link.ts'
import { validateSplit, MethodRestrictions, Sale, saleRefusals } from './sale.ts'
import { type Caller, operation, type ValidationContext } from '../http/operation.ts'
import { listPage } from '../http/pagination.ts'
import { assertSells, assertStillSells, findOpenLine, keptPrice } from './payment-link-sale.ts'
import { waitingOutside } from './quotes.ts'
import { Name } from '../catalogue/product.ts'
import { amountsIn, sentAmounts, validateSentPrice } from '../catalogue/product-price.ts'
import { assertValid } from '../http/validate.ts'
import { fieldsOf } from '../../domain/narrow.ts'

const { suggested_amount: _suggested, ...priceAmounts } = sentAmounts

const SentPrice = Type.Object({
  price_type: Type.Enum([...priceTypes]),
  ...priceAmounts,
  currency: sentCurrency({ maxLength: 10 }),
})

/** The settings that can change while the link exists. */
const settings = {
  active: Type.Optional(Type.Boolean()),
  customer_creation: Type.Optional(Type.Enum(['if_required', 'always'])),
  payment_method_options: MethodRestrictions,
  max_completions: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: completionsMax }))),
  expires_at: Type.Optional(nullable(Moment)),
  inactive_message: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 500 }))),
}

const { product_cart, product_group_id, platform_fee, transfer_data } = Sale
const CreateLink = Type.Object(
  {
    name: Name,
    product_cart,
    product_group_id,
    price: Type.Optional(SentPrice),
    platform_fee,
    transfer_data,
    success_url: WebAddress,
    ...settings,
    metadata: Type.Optional(Metadata),
  },
  { $id: 'CreatePaymentLink' },
)

/** The sale of a link never changes, as buyers have the address already. */
const fixed = ['product_cart', 'product_group_id', 'price', 'platform_fee', 'transfer_data'] as const
const Fixed = Type.Optional(Type.Unknown({ description: 'Never changes; the current value is accepted.' }))

const ChangeLink = Type.Object(
  {
    name: Type.Optional(Name),
    success_url: Type.Optional(WebAddress),
    ...settings,
    metadata: Type.Optional(ChangedMetadata),
    product_cart: Fixed,
    product_group_id: Fixed,
    price: Fixed,
    platform_fee: Fixed,
    transfer_data: Fixed,
  },
  { $id: 'ChangePaymentLink' },
)

/**
 * Exactly one form of sale is sent. A price follows the same rules as a product's price. The expiry is checked here if
 * the call is refused anyway, else once its idempotency key is known to be new: a repeated call comes later.
 */
function validateLink(
  body: Record<string, unknown>,
  { hasErrors, now }: Pick<ValidationContext, 'hasErrors' | 'now'>,
): FieldError[] {
  const [form, ...others] = ['product_cart', 'product_group_id', 'price'].filter((name) => body[name] !== undefined)
  const isSplitTwice = ![undefined, null].includes(body['platform_fee'] as null) && body['transfer_data']
  const error = (field: string, message: string) => ({ field, message, type: 'value_error' })
  const errors = [
    ...(form ? [] : [{ ...error('price', 'is required, or product_cart, or product_group_id'), type: missingType }]),
    ...others.map((field) => error(field, `is not sent together with ${form}`)),
    ...(isSplitTwice ? [error('platform_fee', 'is not sent together with transfer_data')] : []),
    ...validateLinkPrice(body['price']),
    ...validateSplit(body, groundIn(body['price'])),
  ]
  return hasErrors || errors.length > 0 ? [...errors, ...validateExpiry(body, now)] : []
}

/** The currency and the lowest amount of a price, which limit its split. A custom price counts as its minimum. */
function groundIn(sent: unknown) {
  const { currency = null, amount, minimum_amount: least } = fieldsOf(sent)
  const worth = amount ?? least
  const isRead = typeof worth === 'string' && amountError(worth, null) === null
  return { currency: typeof currency === 'string' ? currency : null, worth: isRead ? worth : null }
}

const missingType = 'value_error.missing'

function validateLinkPrice(sent: unknown): FieldError[] {
  const errors = validateSentPrice({ ...fieldsOf(sent), suggested_amount: null })
  return errors.map((error) => ({ ...error, field: `price.${error.field}` }))
}

const tag = 'Payment links'

export const createPaymentLink = operation({
  method: 'post',
  path: '/v1/payment-links',
  summary: 'Create a payment link, which opens a new session for every visitor',
  tag,
  auth: ['apiKey'],
  scope: 'payments:write',
  body: CreateLink,
  validate: validateLink,
  returns: [201, PaymentLink],
  refuses: [...saleRefusals, 'BAD_GATEWAY'],

  async handle({ body, caller, em, now, services, askOutside }) {
    assertValid(validateExpiry(body, now))
    const sold = await readSold(em, caller, body)
    const { payment_method_options = null, platform_fee: fee = null, transfer_data: share = null } = body
    const terms = { payment_method_options, platform_fee: fee, transfer_data: share }
    const context = { em, services: waitingOutside({ services, askOutside }) }
    const sale = await assertSells(context, caller, sold, terms)
    const { currency, platformFee, transferAmount, transferDestination } = sale
    const split = { platformFee, transferAmount, transferDestination }
    const link = em.create(PaymentLinkRow, { ...newLink(body, caller, now), ...sold, currency, ...split })
    return presentPaymentLink(link, services.config.publicUrl)
  },
})

const newLink = (body: Static<typeof CreateLink>, { accountId, environment }: Caller, now: number) => ({
  id: newId('pl', now),
  accountId,
  environment,
  slug: newSlug(),
  active: true,
  successUrl: body.success_url,
  customerCreation: 'if_required' as const,
  methodOptions: null,
  completedCount: 0,
  maxCompletions: null,
  expiresAt: null,
  inactiveMessage: null,
  metadata: mergeMetadata({}, body.metadata),
  createdAt: new Date(now),
  updatedAt: new Date(now),
  ...settingsIn(body),
})

async function readSold(em: EntityManager, owner: Tenant, body: Static<typeof CreateLink>): Promise<LinkSale> {
  const { name, product_cart: productCart = null, product_group_id: productGroupId = null, price } = body
  return {
    name,
    productCart,
    productGroupId,
    openLine: productCart && (await findOpenLine(em, owner, productCart)),
    price: price ? keptPrice(price.price_type, price.currency, amountsIn(price)) : null,
  }
}

/** The settings of the body, named as the row's properties. Null clears a setting. */
const settingsIn = (body: Partial<Static<typeof ChangeLink>>) => ({
  ...(body.name !== undefined && { name: body.name }),
  ...(body.success_url !== undefined && { successUrl: body.success_url }),
  ...(body.active !== undefined && { active: body.active }),
  ...(body.customer_creation !== undefined && { customerCreation: body.customer_creation }),
  ...(body.payment_method_options !== undefined && { methodOptions: body.payment_method_options }),
  ...(body.max_completions !== undefined && { maxCompletions: body.max_completions }),
  ...(body.expires_at !== undefined && { expiresAt: body.expires_at === null ? null : new Date(body.expires_at) }),
  ...(body.inactive_message !== undefined && { inactiveMessage: body.inactive_message }),
})

function validateExpiry(
  { expires_at: sent }: Record<string, unknown>,
  now: number,
  known: Date | null = null,
): FieldError[] {
  const at = typeof sent === 'string' ? Date.parse(sent) : Infinity
  if (Number.isNaN(at) || at > now || at === known?.getTime()) return []
  return [{ field: 'expires_at', message: 'must be in the future', type: 'value_error.range' }]
}

export const listPaymentLinks = operation({
  method: 'get',
  path: '/v1/payment-links',
  summary: 'List payment links, newest first',
  tag,
  auth: ['apiKey'],
  scope: 'payments:read',
  query: Type.Object({ ...pageQuery, active: Type.Optional(Type.Boolean()) }),
  returns: [200, page(PaymentLink)],
  refuses: [],

  async handle({ query, caller: { accountId, environment }, em, services }) {
    const { active } = query
    const where = { accountId, environment, ...(active !== undefined && { active }) }
    const { rows, pagination } = await listPage({ em, services }, PaymentLinkRow, where, query)
    return { items: rows.map((row) => presentPaymentLink(row, services.config.publicUrl)), pagination }
  },
})

const LinkId = Type.Object({ payment_link_id: idParameter('pl') })
const missing = () => new Refusal('NOT_FOUND', 'no such payment link')

export const getPaymentLink = operation({
  method: 'get',
  path: '/v1/payment-links/{payment_link_id}',
  summary: 'Read a payment link',
  tag,
  auth: ['apiKey'],
  scope: 'payments:read',
  params: LinkId,
  returns: [200, PaymentLink],
  refuses: ['NOT_FOUND'],

  async handle({ params, caller: { accountId, environment }, em, services }) {
    const link = await em.findOne(PaymentLinkRow, { id: params.payment_link_id, accountId, environment })
    if (!link) throw missing()
    return presentPaymentLink(link, services.config.publicUrl)
  },
})

export const changePaymentLink = operation({
  method: 'patch',
  path: '/v1/payment-links/{payment_link_id}',
  summary: 'Change a payment link, for new sessions; what it sells never changes',
  tag,
  auth: ['apiKey'],
  scope: 'payments:write',
  params: LinkId,
  body: ChangeLink,
  returns: [200, PaymentLink],
  refuses: [...saleRefusals, 'BAD_GATEWAY'],

  async handle({ params, body, caller: { accountId, environment }, em, now, services, askOutside }) {
    const where = { id: params.payment_link_id, accountId, environment }
    const link = await em.findOne(PaymentLinkRow, where, { lockMode: LockMode.PESSIMISTIC_WRITE })
    if (!link) throw missing()
    const metadata = mergeMetadata(link.metadata, body.metadata)
    const errors = [...validateChange(link, body), ...validateExpiry(body, now, link.expiresAt)]
    assertValid([...errors, ...validateMetadata(metadata)])
    const { payment_method_options: options } = body
    const context = { em, services: waitingOutside({ services, askOutside }) }
    if (options !== undefined) await assertStillSells(context, link, options)
    Object.assign(link, settingsIn(body), { metadata, updatedAt: new Date(now) })
    return presentPaymentLink(link, services.config.publicUrl)
  },
})

function validateChange(link: PaymentLinkRow, body: Static<typeof ChangeLink>): FieldError[] {
  const known = presentPaymentLink(link, '')
  const sent = { ...body, product_cart: shownCart(body.product_cart, link.currency) }
  const isChanged = (field: (typeof fixed)[number]) =>
    body[field] !== undefined && !isDeepStrictEqual(sent[field], known[field])
  const message = 'never changes: make another link'
  const tooFew = body.max_completions ? body.max_completions < link.completedCount : false
  return [
    ...fixed.filter(isChanged).map((field) => ({ field, message, type: 'value_error' })),
    ...(tooFew
      ? [{ field: 'max_completions', message: 'must not be less than completed_count', type: 'value_error.range' }]
      : []),
  ]
}

/** A cart that was sent, as a link would show it: it may come as it was first sent, with an amount such as `25`. */
function shownCart(sent: unknown, currency: Currency): unknown {
  if (!Array.isArray(sent)) return sent
  return sent.map((line: unknown) => {
    const { quantity = 1, amount = null, ...rest } = fieldsOf(line)
    const isRead = typeof amount === 'string' && amountError(amount, currency) === null
    return { ...rest, quantity, amount: isRead ? format(amount, currency) : amount }
  })
}
