import { defineEntity, p } from '@mikro-orm/core'
import { groupSizeMax } from '../../domain/catalogue/product.ts'
import { moment, tenant } from '../core/columns.ts'

const schema = defineEntity({
  name: 'ProductGroup',
  tableName: 'product_groups',
  properties: {
    id: p.string().primary(),
    ...tenant,
    name: p.string().length(255),
    description: p.text().strictNullable(),
    // False once it is archived.
    active: p.boolean().default(true),
    // In the order in which buyers see them.
    productIds: p.array().check(`cardinality(product_ids) >= 1 and cardinality(product_ids) <= ${groupSizeMax}`),
    metadata: p.json<Record<string, string>>(),
    createdAt: moment(),
    updatedAt: moment(),
  },
  indexes: [{ name: 'product_groups_newest', properties: ['accountId', 'environment', 'createdAt', 'id'] }],
})
/** Products of which a buyer picks one. */
export class ProductGroup extends schema.class {}
schema.setClass(ProductGroup)
