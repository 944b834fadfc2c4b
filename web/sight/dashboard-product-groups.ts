import type { Context } from 'koa'
import type { Answer } from '../api.ts'
import type { Site } from '../site.ts'
import { timeOf } from '../words.ts'
import { addArchiving } from './archive-form.ts'
import { mayDo, newFormKey, noticeIn } from './board-form.ts'
import { type Fact, type Listed, queryOf } from './dashboard-lists.ts'
import { activeFilters, catalogueNotices, catalogueState, catalogueStates } from './dashboard-products.ts'
import { addResourceFolder } from './dashboard-resources.ts'
import { searchIn, wordIn } from './list-filter.ts'
import { addProductGroupForms, type ShownGroup } from './product-group-form.ts'
import { priceOf, type ShownProduct } from './product-words.ts'

export const productGroupsLink = { path: '/product-groups', words: 'Product groups' }

/** `/dashboard/product-groups`: the groups with a search; each with its products, its form, and archived likewise. */
export function addProductGroupPages(site: Site): void {
  const { home, sessions } = site
  const folder = `${home}${productGroupsLink.path}`

  function list(ctx: Context, filters: Record<string, string>): Promise<Answer<Listed<ShownGroup>>> {
    const { status = '', search = '' } = filters
    const query = { active: activeFilters[status] ?? '', search }
    return sessions.call(ctx, 'GET', `/v1/product-groups?${queryOf(ctx, query)}`)
  }

  /** The products by name, by one call. A product that is not among the newest is named by its id. */
  async function more(ctx: Context, group: ShownGroup): Promise<Answer<object>> {
    const known = await sessions.call<Listed<ShownProduct>>(ctx, 'GET', '/v1/products?limit=100')
    if (!known.ok) return known
    const products = group.products.map((id) => {
      const product = known.body.items.find((each) => each.product_id === id)
      const about = product && (product.active ? priceOf(product) : `${priceOf(product)}. Archived: not offered`)
      return { link: `${home}/products/${id}`, name: product?.name ?? id, about: about ?? '' }
    })
    return {
      ok: true,
      body: {
        path: `${folder}/${group.product_group_id}`,
        newLink: `${home}/payment-links/new?group=${group.product_group_id}`,
        state: catalogueState(group),
        description: group.description,
        products,
        mayChange: mayDo(site, ctx, 'products:write'),
        mayLink: mayDo(site, ctx, 'payments:write') && group.active,
        formKey: newFormKey(),
        notice: noticeIn(ctx, catalogueNotices),
      },
    }
  }

  addProductGroupForms(site, folder)
  addArchiving(site, { folder, collection: '/v1/product-groups', one: 'product group', effects })
  addResourceFolder<ShownGroup>(site, {
    link: productGroupsLink,
    one: 'Product group',
    collection: '/v1/product-groups',
    templates: { list: 'dashboard/product-groups', one: 'dashboard/product-group' },
    statuses: catalogueStates,
    hasTimeline: false,
    filtersIn: (ctx) => ({
      status: wordIn(ctx, 'status', Object.keys(catalogueStates)),
      search: searchIn(ctx).slice(0, 255),
    }),
    list,
    idOf: (group) => group.product_group_id,
    itemOf: (group) => ({
      title: group.name,
      state: catalogueState(group),
      size: String(group.products.length),
      created: timeOf(group.created_at),
    }),
    factsOf: groupFacts,
    more,
  })
}

const effects = [
  'Nobody can buy from it any more: not by a new checkout, and not by a payment link that offers it.',
  'Its products stay on sale on their own.',
  'Checkout sessions that buyers have open already can still be paid.',
  'You can restore it at any time.',
]

const groupFacts = (group: ShownGroup): Fact[] => [
  ['Id', group.product_group_id],
  ['Created', timeOf(group.created_at)],
  ['Changed', group.updated_at === group.created_at ? null : timeOf(group.updated_at)],
  ...Object.entries(group.metadata).map(([name, value]): Fact => [`metadata: ${name}`, value]),
]
