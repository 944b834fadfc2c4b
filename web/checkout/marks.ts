import { brandPatterns } from '../../domain/checkout/card.ts'
import { brandName, coinOf, providerName } from '../names.ts'

// The marks beside the names of payment methods. We draw them ourselves, in the colours by which people know the brand;
// docs/guides/checkout.md says what that means for the owners' trademarks. A code without a mark has its name only.

/** A badge with a word in it, or a coin with a sign. */
type Drawing =
  | { ground: string; ink: string; word: string; length: number; isSlanted?: true }
  | { ground: string; ink: string; sign: string; isLine?: true }
  | { ground: string; circles: readonly { x: number; colour: string }[] }

const badge = (word: string, length: number, ground: string, ink: string): Drawing => ({ ground, ink, word, length })
const coin = (ground: string, ink: string, sign: string): Drawing => ({ ground, ink, sign })

const drawings: Record<string, Drawing> = {
  visa: { ...badge('VISA', 24, '#ffffff', '#1a1f71'), isSlanted: true },
  mastercard: {
    ground: '#ffffff',
    circles: [
      { x: 13.5, colour: '#eb001b' },
      { x: 20.5, colour: '#f79e1b' },
    ],
  },
  amex: badge('AMEX', 25, '#016fd0', '#ffffff'),
  verve: badge('Verve', 25, '#00425f', '#ffffff'),

  airtel: badge('airtel', 24, '#d50000', '#ffffff'),
  airteltigo: badge('AT', 14, '#1c3f94', '#ffffff'),
  free: badge('free', 19, '#c1121f', '#ffffff'),
  halopesa: badge('Halo', 20, '#f58220', '#000000'),
  moov: badge('moov', 24, '#00509d', '#ffffff'),
  mpesa: badge('M-PESA', 28, '#ffffff', '#2f7d1b'),
  mtn: badge('MTN', 21, '#ffcb05', '#000000'),
  orange: badge('orange', 27, '#ff7900', '#000000'),
  tigo: badge('tigo', 18, '#00377b', '#ffffff'),
  vodacom: badge('vodacom', 29, '#d50000', '#ffffff'),
  vodafone: badge('vodafone', 29, '#d50000', '#ffffff'),
  wave: badge('wave', 22, '#1dc8ff', '#000000'),
  zamtel: badge('zamtel', 27, '#12702f', '#ffffff'),

  BNB: coin(
    '#f3ba2f',
    '#000000',
    'M17 5l2 2-2 2-2-2zM13 9l2 2-2 2-2-2zM21 9l2 2-2 2-2-2zM17 9l2 2-2 2-2-2zM17 13l2 2-2 2-2-2z',
  ),
  ETH: coin('#4a63c9', '#ffffff', 'M17 3.5l4.5 7.5-4.5 2.5-4.5-2.5zM12.5 12.3l4.5 2.5 4.5-2.5-4.5 6.2z'),
  SOL: coin('#14121f', '#14f195', 'M13.5 6.5h8.5l-1.5 2H12zM12 10h8.5l1.5 2h-8.5zM13.5 13.5h8.5l-1.5 2H12z'),
  USDC: {
    ...coin(
      '#2775ca',
      '#ffffff',
      'M19.7 8.4c-.4-1-1.4-1.5-2.7-1.5-1.6 0-2.7.8-2.7 2s1 1.8 2.7 2.1' +
        ' 2.8.9 2.8 2.1-1.2 2-2.8 2c-1.4 0-2.5-.5-2.9-1.6' +
        'M17 5v12',
    ),
    isLine: true,
  },
  USDT: coin('#1f8667', '#ffffff', 'M12 6h10v3h-3.5v7h-3V9H12z'),
}

/** A mark with the name that it stands for. */
export type Mark = { code: string; name: string; drawing: Drawing; begins?: string }

function markOf(code: string, name: string | null): Mark[] {
  const drawing = drawings[code]
  return drawing && name !== null ? [{ code, name, drawing }] : []
}

/** The mark of a card's brand; null for a brand that has none. */
export const cardMark = (brand: string): Mark | null => markOf(brand, brandName(brand))[0] ?? null

/** The marks of the brands that the page's script tells by the first digits, `begins`. */
export const cardMarks: readonly Mark[] = Object.entries(brandPatterns).flatMap(([brand, begins]) =>
  markOf(brand, brandName(brand)).map((mark) => ({ ...mark, begins })),
)

export const providerMarks = (codes: readonly string[]): Mark[] =>
  codes.flatMap((code) => markOf(code, providerName(code)))

/** One mark for each coin, whatever its networks. */
export const coinMarks = (assets: readonly string[]): Mark[] =>
  [...new Set(assets.map(coinOf))].flatMap((name) => markOf(name, name))
