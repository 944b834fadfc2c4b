import type Router from '@koa/router'
import type { Static } from 'typebox'
import type { MerchantBrand } from '../../schemas/checkout/merchant-brand.ts'
import { uploadPath } from '../address.ts'

// A merchant's colour, as a stylesheet of ours: the pages' policy forbids styles in the page itself. Whatever colour it
// is, texts keep a contrast of 4.5 to 1 and edges one of 3 to 1 (WCAG 2.2, 1.4.3 and 1.4.11), in light and in dark.

/** Red, green and blue, from 0 to 255. */
type Colour = readonly [number, number, number]

const white: Colour = [255, 255, 255]
const black: Colour = [0, 0, 0]

/** The grounds on which texts and edges stand, as in `checkout.css`: `--paper`, `--ground` and `--chosen`. */
const grounds = {
  light: ['#ffffff', '#f4f6f4', '#eef5f1'].map(colourOf),
  dark: ['#1a2320', '#101614', '#1f2d28'].map(colourOf),
}

const textContrast = 4.5
const edgeContrast = 3

function colourOf(hex: string): Colour {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
  return [red, green, blue]
}

const hexOf = (colour: Colour): string => `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`

/** The relative luminance of WCAG, from 0 to 1. */
function luminanceOf(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrastOf(one: Colour, other: Colour): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((left, right) => left - right)
  return (lighter + 0.05) / (darker + 0.05)
}

/** `share` of the other colour, from 0 to 1. */
function mix([red, green, blue]: Colour, other: Colour, share: number): Colour {
  const part = (own: number, its: number) => Math.round(own + (its - own) * share)
  return [part(red, other[0]), part(green, other[1]), part(blue, other[2])]
}

/** The colour with as little of the other one as it takes to stand out from all these grounds. */
function distinct(colour: Colour, towards: Colour, { from, by }: { from: Colour[]; by: number }): Colour {
  for (let percent = 0; percent < 100; percent++) {
    const mixed = mix(colour, towards, percent / 100)
    if (from.every((ground) => contrastOf(mixed, ground) >= by)) return mixed
  }
  return towards
}

/** The style of a colour such as `#1a73e8`. What is on the colour is white, or black if white is hard to read. */
export function brandStyle(hex: string): string {
  const brand = colourOf(hex)
  const isWhite = contrastOf(brand, white) >= textContrast
  const [onBrand, away] = isWhite ? [white, black] : [black, white]
  const shared = { brand, 'brand-dark': mix(brand, away, 0.15), 'on-brand': onBrand }
  const schemeOf = (from: Colour[], towards: Colour) => ({
    ...shared,
    link: distinct(brand, towards, { from, by: textContrast }),
    edge: distinct(brand, towards, { from, by: edgeContrast }),
  })
  const rule = (colours: Record<string, Colour>) =>
    `:root{${Object.entries(colours)
      .map(([name, colour]) => `--${name}:${hexOf(colour)}`)
      .join(';')}}`
  const [light, dark] = [schemeOf(grounds.light, black), schemeOf(grounds.dark, white)]
  return `${rule(light)}\n@media screen and (prefers-color-scheme:dark){${rule(dark)}}\n`
}

/** The address of the stylesheet of a colour; null if the merchant has set none. */
export const brandPath = (accent: string | null): string | null =>
  accent !== null && /^#[0-9a-f]{6}$/.test(accent) ? `/assets/brand-${accent.slice(1)}.css` : null

/** What the layout of a page takes of a merchant's brand: logo, colour with its stylesheet, address for questions. */
export const brandOf = ({ logo_url, accent_color, support_email }: Static<typeof MerchantBrand>) => ({
  logo: logo_url && uploadPath(logo_url),
  brand: brandPath(accent_color),
  themeColor: accent_color,
  support: support_email,
})

/** Serves the stylesheet of every colour. It is made of the address alone, so it never changes. */
export function addBrandStyles(router: Router): void {
  router.get('/assets/brand-:colour.css', async (ctx, next) => {
    const { colour } = ctx['params'] as { colour: string }
    if (!/^[0-9a-f]{6}$/.test(colour)) {
      await next()
      return
    }
    ctx.type = 'text/css'
    ctx.set('Cache-Control', 'public, max-age=31536000, immutable')
    ctx.body = brandStyle(`#${colour}`)
  })
}
