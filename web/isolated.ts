/** Letters of the scripts that are written from right to left, such as Arabic and Hebrew. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/**
 * A name that people have typed, to stand in a text of ours: what is around it keeps its order, also if the name is
 * written from right to left. An element that holds such a name alone needs none (`unicode-bidi` in checkout.css).
 */
export const isolated = (text: string): string => (rightToLeft.test(text) ? `\u2068${text}\u2069` : text)

/** A text without these marks: whoever copies a name from our pages may copy them too, and no field takes them. */
export const withoutIsolation = (text: string): string => text.replaceAll(/[\u2066-\u2069]/g, '')
