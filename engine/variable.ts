import { Type } from 'typebox'
import { readable, refined, type WhyWrong } from './checked-text.ts'

// The kinds of variables. engine/environment.ts lists the variables themselves.

/** Facts in a variable's schema: `must` completes "NAME must be …"; `example` is shown in .env.example. */
export type About = { description: string; must: string; example?: string; secret?: true }

export const text = (about: About & { pattern: string; default?: string }) => Type.String(about)
export const address = (about: Parameters<typeof text>[0], whyWrong?: WhyWrong) => readable(text(about), whyWrong)
// Such a text is usually in the file that NAME_FILE names.
export const pem = (about: About, whyWrong: WhyWrong) => refined(text({ ...about, pattern: '', default: '' }), whyWrong)
export const whole = (about: About & { minimum: number; maximum: number; default: number }) => Type.Integer(about)
export const oneOf = <T extends string>(values: T[], about: Omit<About, 'must'> & { default: T }) =>
  Type.Enum(values, { ...about, must: `one of ${values.join(', ')}` })

export const dollars = (amount: number, description: string) =>
  whole({ description, minimum: 0, maximum: 1_000_000_000, default: amount, must: 'whole US dollars up to 1000000000' })
