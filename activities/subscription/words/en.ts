/**
 * What mails to customers say, in English. The other languages have the same keys and insertions (ICU messages). Texts
 * use the apostrophe ’, as ' begins a quotation in such a message.
 */
export const en = {
  hello: 'Hello {name},',
  'hello.all': 'Hello,',
  questions: 'Questions? Write to {email}.',
  'pay.now': 'Pay now',
  'see.invoice': 'See the invoice',

  'trial.subject': 'Your trial at {merchant} ends on {day}',
  'trial.ends': 'Your trial of {plan} ends on {day}.',
  'trial.nothing': 'Nothing will be charged, because the subscription ends with it.',
  'trial.paused': 'Nothing will be charged then, because the subscription is paused.',
  'trial.then': 'Then {amount} is charged {rhythm}, unless you cancel before.',
  'trial.charge':
    '{amount}{fee, select, yes { plus the payment fee} other {}}' +
    '{currency, select, none {} other { (in {currency} at the rate of that day)}}',

  'failed.subject': 'Your payment to {merchant} failed',
  'failed.what': 'We could not collect {amount} for {plan}.',
  'failed.over': 'We will not try again, and the subscription has ended.',
  'failed.again': 'We will try again on {day}. You can also pay now.',
  'failed.until': 'Your card cannot be charged any more. Please pay by {day}, or the subscription ends.',
  'failed.pay': 'Please pay now.',

  'unpaid.subject': 'Your invoice from {merchant} is not paid yet',
  'unpaid.what': 'Your invoice {number} for {plan} is {amount}, and is not paid yet.',
  'unpaid.over': 'The subscription has ended.',
  'unpaid.again': 'Please pay now. We will remind you on {day}.',
  'unpaid.until': 'Please pay by {day}, or the subscription ends.',

  'receipt.subject': 'Your receipt from {merchant}',
  'receipt.thanks': 'Thank you for your payment of {amount} for {plan}.',
  'receipt.invoice': 'It is invoice {number}, for the time from {start} to {end}.',

  'invoice.subject': 'Your invoice from {merchant}',
  'invoice.what': 'Your invoice {number} for {plan} is {amount}.',
  'invoice.by': 'Please pay it by {day}.',

  'canceled.subject': 'Your subscription at {merchant} has ended',
  'canceled.what': 'Your subscription to {plan} ended on {day}.',
  'canceled.unpaid': 'It ended because it could not be paid. Nothing more will be charged.',
  'canceled.nothing': 'Nothing more will be charged.',

  'rhythm.day': '{count, plural, =1 {each day} other {every # days}}',
  'rhythm.week': '{count, plural, =1 {each week} other {every # weeks}}',
  'rhythm.month': '{count, plural, =1 {each month} other {every # months}}',
  'rhythm.year': '{count, plural, =1 {each year} other {every # years}}',
}
