import { LockMode } from '@mikro-orm/core'
import Type, { type Static } from 'typebox'
import type { Tenant } from '../../db/core/columns.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { ProductGroup as ProductGroupRow } from '../../db/catalogue/product-group.ts'
import { Product } from '../../db/catalogue/product.ts'
import { newId } from '../../domain/id.ts'
import { mergeMetadata, validateMetadata } from '../../domain/metadata.ts'
import { groupSizeMax } from '../../domain/catalogue/product.ts'
import { type FieldError, Refusal } from '../../domain/refusal.ts'
import { ChangedMetadata, id, idParameter, Metadata, page, pageQuery } from '../../schemas/common.ts'
import { presentProductGroup, ProductGroup } from '../../schemas/catalogue/product-group.ts'
import { whereContaining } from '../http/filters.ts'
import { type Caller, operation } from '../http/operation.ts'
import { listPage } from '../http/pagination.ts'
import { Description, Name } from './product.ts'
import { assertValid, repeatedIn } from '../http/validate.ts'

const ProductIds = Type.Array(idParameter('prod'), {
  minItems: 1,
  maxItems: groupSizeMax,
  description: 'Active products, in the order to show them in: of one currency, all one-time or all recurring.',
})

const settings = {
  description: Description,
  active: Type.Optional(Type.Boolean()),
}

const CreateGroup = Type.Object(
  { name: Name, products: ProductIds, ...settings, metadata: Type.Optional(Metadata) },
  { $id: 'CreateProductGroup' },
)

const ChangeGroup = Type.Object(
  {
    name: Type.Optional(Name),
    products: Type.Optional(ProductIds),
    ...settings,
    metadata: Type.Optional(ChangedMetadata),
  },
  { $id: 'ChangeProductGroup' },
)

const tag = 'Product groups'

export const createProductGroup = operation({
  method: 'post',
  path: '/v1/product-groups',
  summary: 'Create a group of products of which a buyer picks one',
  tag,
  auth: ['apiKey'],
  scope: 'products:write',
  body: CreateGroup,
  validate: ({ products }, { hasErrors }) => (hasErrors ? repeatedIn('products', products) : []),
  returns: [201, ProductGroup],
  refuses: [],

  async handle({ body, caller, em, now }) {
    assertValid(await validateFit(em, caller, body.products))
    const group = em.create(ProductGroupRow, newGroup(body, caller, now))
    return presentProductGroup(group)
  },
})

const newGroup = (body: Static<typeof CreateGroup>, { accountId, environment }: Caller, now: number) => ({
  id: newId('pg', now),
  accountId,
  environment,
  name: body.name,
  description: body.description ?? null,
  active: body.active ?? true,
  productIds: body.products,
  metadata: mergeMetadata({}, body.metadata),
  createdAt: new Date(now),
  updatedAt: new Date(now),
})

/** The settings of the body, named as the row's properties. */
const settingsIn = ({ name, description, active, products }: Partial<Static<typeof ChangeGroup>>) => ({
  ...(name !== undefined && { name }),
  ...(description !== undefined && { description }),
  ...(active !== undefined && { active }),
  ...(products !== undefined && { productIds: products }),
})

/** Refuses products that cannot be offered together. The first product sets the currency and one-time or recurring. */
async function validateFit(
  em: EntityManager,
  { accountId, environment }: Tenant,
  ids: string[],
): Promise<FieldError[]> {
  const found = await em.find(Product, { id: { $in: ids }, accountId, environment })
  const products = ids.map((productId) => found.find((product) => product.id === productId))
  const first = products.find((product) => product)
  const unfit = products.flatMap((product, index) => fitError(index, product, first) ?? [])
  return [...repeatedIn('products', ids), ...unfit]
}

function fitError(index: number, product: Product | undefined, first: Product | undefined): FieldError | null {
  const error = (message: string) => ({ field: `products.${index}`, message, type: 'value_error' })
  if (!product || !first) return error('must be one of your products')
  if (!product.active) return error('is archived')
  if (product.currency !== first.currency) return error('is in another currency than those before it')
  const isRecurring = product.recurringInterval !== null
  if (isRecurring === (first.recurringInterval !== null)) return null
  return error(isRecurring ? 'is recurring, and those before it are not' : 'is one-time, and those before it are not')
}

const ListGroups = Type.Object({
  ...pageQuery,
  active: Type.Optional(Type.Boolean()),
  search: Type.Optional(Type.String({ maxLength: 255, description: 'Part of the name, in upper or lower case.' })),
})

export const listProductGroups = operation({
  method: 'get',
  path: '/v1/product-groups',
  summary: 'List product groups, newest first',
  tag,
  auth: ['apiKey'],
  scope: 'products:read',
  query: ListGroups,
  returns: [200, page(ProductGroup)],
  refuses: [],

  async handle({ query, caller: { accountId, environment }, em, services }) {
    const { active, search } = query
    const where = {
      accountId,
      environment,
      ...(active !== undefined && { active }),
      ...(search && { name: whereContaining(search) }),
    }
    const { rows, pagination } = await listPage({ em, services }, ProductGroupRow, where, query)
    return { items: rows.map(presentProductGroup), pagination }
  },
})

const GroupId = Type.Object({ product_group_id: idParameter('pg') })
const missing = () => new Refusal('NOT_FOUND', 'no such product group')

/** Locks the caller's own group. Another account's group is refused like one that does not exist. */
async function lockGroup(em: EntityManager, { accountId, environment }: Tenant, groupId: string) {
  const where = { id: groupId, accountId, environment }
  const group = await em.findOne(ProductGroupRow, where, { lockMode: LockMode.PESSIMISTIC_WRITE })
  if (!group) throw missing()
  return group
}

export const getProductGroup = operation({
  method: 'get',
  path: '/v1/product-groups/{product_group_id}',
  summary: 'Read a product group, also an archived one',
  tag,
  auth: ['apiKey'],
  scope: 'products:read',
  params: GroupId,
  returns: [200, ProductGroup],
  refuses: ['NOT_FOUND'],

  async handle({ params, caller: { accountId, environment }, em }) {
    const group = await em.findOne(ProductGroupRow, { id: params.product_group_id, accountId, environment })
    if (!group) throw missing()
    return presentProductGroup(group)
  },
})

export const changeProductGroup = operation({
  method: 'patch',
  path: '/v1/product-groups/{product_group_id}',
  summary: 'Change a product group; `products` is replaced as a whole',
  tag,
  auth: ['apiKey'],
  scope: 'products:write',
  params: GroupId,
  body: ChangeGroup,
  validate: ({ products }, { hasErrors }) => (hasErrors ? repeatedIn('products', products) : []),
  returns: [200, ProductGroup],
  refuses: ['NOT_FOUND'],

  async handle({ params, body, caller, em, now }) {
    const group = await lockGroup(em, caller, params.product_group_id)
    const metadata = mergeMetadata(group.metadata, body.metadata)
    const unfit = body.products ? await validateFit(em, caller, body.products) : []
    assertValid([...unfit, ...validateMetadata(metadata)])
    Object.assign(group, settingsIn(body), { metadata, updatedAt: new Date(now) })
    return presentProductGroup(group)
  },
})

export const archiveProductGroup = operation({
  method: 'delete',
  path: '/v1/product-groups/{product_group_id}',
  summary: 'Archive a product group: it can still be read, but not sold',
  tag,
  auth: ['apiKey'],
  scope: 'products:write',
  params: GroupId,
  returns: [
    200,
    Type.Object({ product_group_id: id('pg'), deleted: Type.Literal(true) }, { $id: 'DeletedProductGroup' }),
  ],
  refuses: ['NOT_FOUND'],

  async handle({ params, caller, em, now }) {
    const group = await lockGroup(em, caller, params.product_group_id)
    if (group.active) Object.assign(group, { active: false, updatedAt: new Date(now) })
    return { product_group_id: group.id, deleted: true as const }
  },
})
