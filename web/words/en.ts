/**
 * What all pages for buyers say, in English. The other languages have the same keys and insertions (ICU messages).
 * Texts use the apostrophe ’, as ' begins a quotation in such a message, and `<b>` for what is strong.
 */
export const en = {
  // All pages.
  'test.mode': '<b>Test mode:</b> no money moves.',
  'title.error': 'Error: {title}',
  continue: 'Continue',
  'missing.title': 'This page does not exist',
  'missing.help': 'Check that the link is complete. If it still does not work, ask the shop for a new one.',
  'wait.title': 'Please wait a moment',
  'wait.itself': 'This page tries again by itself.',
  'try.again': 'Try again',
  'ended.expired': 'This page has expired',
  'write.to': 'Questions? Write to',
  'page.enter': 'One moment',
  'page.cookies':
    'If you see this at once, your browser blocks cookies. Allow them for this site, then open the link again.',
  'page.unchanged': 'Nothing was changed',
  'page.foreign': 'This form is not from this page, or you have opened another page since. Please start again.',

  // Amounts and people.
  subtotal: 'Subtotal',
  total: 'Total',
  'button.pay': 'Pay {amount}',
  'your.details': 'Your details',
  name: 'Name',
  country: 'Country',
  address: 'Address',
  'phone.called': 'Phone number',

  // Why a form was refused.
  'problem.fields': 'Please correct the following.',
  'problem.often': 'Too many attempts. Try again in {wait}.',
  'problem.ours': 'Something went wrong on our side. Try again in a moment.',
  'problem.once': 'You won’t be charged twice.',
  'wait.minutes': '{count, plural, one {a minute} other {# minutes}}',
  'wait.seconds': '{count, plural, one {a second} other {# seconds}}',

  // How often something is paid.
  'rhythm.day': '{count, plural, =1 {each day} other {every # days}}',
  'rhythm.week': '{count, plural, =1 {each week} other {every # weeks}}',
  'rhythm.month': '{count, plural, =1 {each month} other {every # months}}',
  'rhythm.year': '{count, plural, =1 {each year} other {every # years}}',

  // The script of the pages.
  'script.copy': 'Copy',
  'script.copy.what': 'Copy {what}',
  'script.copied': 'Copied',
  'script.copied.what': '{what} copied',
  'script.left': '{clock} left',
  'script.up': 'The time is up',
  'script.minutes': '{count, plural, one {# minute} other {# minutes}} left',
  'script.seconds': '{count, plural, one {# second} other {# seconds}} left',
  'script.unreachable':
    'We could not reach the server. Check your connection and try again. You won’t be charged twice.',
  'script.prices': 'Prices are now in {currency}',
  'script.file': 'This file is larger than 10 MB. Choose a smaller one.',
}
