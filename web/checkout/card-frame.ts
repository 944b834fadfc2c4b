import type Router from '@koa/router'
import type { Context } from 'koa'
import { isLanguage } from '../../domain/language.ts'
import { type Language, languageIn } from '../language.ts'
import type { Page, Render } from '../render.ts'
import type { Session } from './screen.ts'

// The provider's script reads the address of the page on which it runs, and sends it to the provider. The address of a
// session's page has its secret. So the field is in a frame, on a page of ours whose address has none.

type Offer = Session['payment_methods'][number]

/** What the frame takes: a card, or the security code of a saved one. */
const kinds = ['card', 'code'] as const
type Kind = (typeof kinds)[number]

const path = '/checkout-card-field'

/** A frame of the form: where it is opened, and the hidden field that gets its token. */
export type CardFrame = { id: string; name: string; address: string; key: string; title: string }

/** The name of the hidden field for the token that belongs to a method of the form. */
export const tokenField = (value: string): string => `token:${value}`

/** The id of the frame for new cards, to which an error leads. */
export const cardFrameId = 'card'

/** The frame of an offer, null where no field of a provider takes its card. `value` is that of the form's method. */
export function frameOf({ card_field: field }: Offer, kind: Kind, shown: Shown): CardFrame | null {
  const { value, id, title, language } = shown
  const address = `${path}?kind=${kind}&lang=${language.code}`
  return field && { id, name: tokenField(value), address, key: field.publishable_key, title }
}

type Shown = { value: string; id: string; title: string; language: Language }

/** Whether the form of a session may open such a frame, now or in another currency. */
export const holdsFrame = ({ payment_methods: offers }: Session): boolean =>
  offers.some(({ card_field: field }) => field !== null)

/** The address of the provider's script, which its documents want to be loaded from there and nowhere else. */
const script = 'https://js.stripe.com/v3/'
/** Stripe's field does not speak Swahili. It shows no words of its own but those for screen readers. */
const spokenBy = (code: Language['code']): string => (code === 'sw' ? 'en' : code)

/** The page in the frame. It is the same for every session: the page around it has the key, and takes the token. */
export function addCardFrame(router: Router, render: Render): void {
  router.get(path, (ctx: Context) => {
    const { lang, kind } = ctx.query
    const language = languageIn(typeof lang === 'string' && isLanguage(lang) ? lang : 'en')
    render(ctx, framePage(language, kinds.find((each) => each === kind) ?? 'card'))
  })
}

function framePage(language: Language, kind: Kind): Page {
  const { say, code } = language
  const fieldWords = {
    number: say('wrong.number'),
    expiry: say('wrong.expiry'),
    past: say('wrong.past'),
    cvc: say('wrong.cvc'),
    failed: say('card.failed'),
  }
  return {
    template: 'card-field',
    status: 200,
    title: say(kind === 'card' ? 'method.card' : 'card.code'),
    language,
    cardField: 'is',
    data: { kind, script, locale: spokenBy(code), fieldWords: JSON.stringify(fieldWords) },
  }
}
