import { ProductGroup } from './product-group.ts'
import { Product } from './product.ts'
import { Upload, UploadContent } from './upload.ts'

/** The tables of the area. */
export const catalogueEntities = [Product, ProductGroup, Upload, UploadContent]
