import Type, { type Static } from 'typebox'
import type { ProductGroup as ProductGroupRow } from '../../db/catalogue/product-group.ts'
import { id, iso, Metadata, nullable, Timestamp } from '../common.ts'

export const ProductGroup = Type.Object(
  {
    product_group_id: id('pg'),
    name: Type.String(),
    description: nullable(Type.String()),
    active: Type.Boolean({ description: 'False once it is archived.' }),
    products: Type.Array(id('prod')),
    metadata: Metadata,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: 'ProductGroup' },
)

export const presentProductGroup = (row: ProductGroupRow): Static<typeof ProductGroup> => ({
  product_group_id: row.id,
  name: row.name,
  description: row.description,
  active: row.active,
  products: row.productIds,
  metadata: row.metadata,
  created_at: iso(row.createdAt),
  updated_at: iso(row.updatedAt),
})
