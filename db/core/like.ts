/** A text for a pattern of `like` that stands for itself: `%`, `_` and `\` in it are no wildcards. */
export const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&')
