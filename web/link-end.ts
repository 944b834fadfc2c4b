/**
 * The last part of a link, without what a mail or a chat program has taken for a part of it: the full stop of the
 * sentence, a bracket, a quotation mark. The secrets and names in our links have none of these.
 */
export const withoutLinkEnd = (text: string): string => text.replace(/[^\w-]{1,9}$/, '')
