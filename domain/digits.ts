const isDigit = (code: number): boolean => /\p{Nd}/u.test(String.fromCodePoint(code))

/** The value of a digit: how many of its script stand before it, as Unicode has the ten of each in a row. */
function valueOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let value = 0
  while (value < 9 && isDigit(code - value - 1)) value++
  return String(value)
}

/** The text with the digits of all scripts, such as Arabic or full-width ones, as `0` to `9`. */
export const latinDigits = (text: string): string => text.replaceAll(/\p{Nd}/gu, valueOf)
