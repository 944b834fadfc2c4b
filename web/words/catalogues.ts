import type { LanguageCode } from '../../domain/language.ts'
import { en as enCheckout } from '../checkout/words/en.ts'
import { enEnd } from '../checkout/words/en-end.ts'
import { fr as frCheckout } from '../checkout/words/fr.ts'
import { frEnd } from '../checkout/words/fr-end.ts'
import { pt as ptCheckout } from '../checkout/words/pt.ts'
import { ptEnd } from '../checkout/words/pt-end.ts'
import { sw as swCheckout } from '../checkout/words/sw.ts'
import { swEnd } from '../checkout/words/sw-end.ts'
import { en as enSubscription } from '../subscription/words/en.ts'
import { fr as frSubscription } from '../subscription/words/fr.ts'
import { pt as ptSubscription } from '../subscription/words/pt.ts'
import { sw as swSubscription } from '../subscription/words/sw.ts'
import { en } from './en.ts'
import { fr } from './fr.ts'
import { pt } from './pt.ts'
import { sw } from './sw.ts'

/** A text of the catalogues. */
export type WordKey = keyof typeof en | keyof typeof enCheckout | keyof typeof enEnd | keyof typeof enSubscription

/** What buyers read in each language: what all pages say, the sale, and subscriptions with their invoices. */
export const catalogues: Record<LanguageCode, Record<WordKey, string>> = {
  en: { ...en, ...enCheckout, ...enEnd, ...enSubscription },
  fr: { ...fr, ...frCheckout, ...frEnd, ...frSubscription },
  sw: { ...sw, ...swCheckout, ...swEnd, ...swSubscription },
  pt: { ...pt, ...ptCheckout, ...ptEnd, ...ptSubscription },
}

export const isWord = (key: string): key is WordKey => Object.hasOwn(catalogues.en, key)
