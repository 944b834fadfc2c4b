/** What buyers read where something has ended, is wrong, or is agreed to, in English (see `en.ts`). */
export const enEnd = {
  // The receipt.
  'paid.title': 'Payment complete',
  'paid.trial': 'Your trial has begun',
  'paid.subscription': 'Your subscription has begun',
  'paid.saved': 'Your card is saved',
  'paid.order': 'Your order is complete',
  'paid.trial.until': 'Your trial with {merchant} runs until {next}. Nothing was charged now.',
  'paid.subscribed': 'You have subscribed to {merchant}. Nothing was charged now.',
  'paid.saved.later': '{merchant} may charge this card later, under your agreement. Nothing was charged now.',
  'paid.received': '{merchant} has received your payment of <b>{amount}</b>.',
  'paid.free': '{merchant} has received your order. There is nothing to pay.',
  'paid.pulled': 'Your card is charged then, and for each period until you cancel.',
  'paid.invoiced': 'You get an invoice before, which you pay by its link.',
  'paid.surplus':
    'You sent <b>{surplus}</b> more than the amount due. {merchant} also received the extra. To get it back, ' +
    'contact {merchant}.',
  receipt: 'Receipt',
  confirmation: 'Confirmation',
  'paid.to': 'Paid to',
  'saved.for': 'Saved for',
  'ordered.from': 'Ordered from',
  questions: 'Questions',
  date: 'Date',
  'paid.with': 'Paid with',
  subscription: 'Subscription',
  'next.charge': 'Next charge',
  'next.due': 'Next payment due',
  transaction: 'Transaction',
  'paid.by': 'Paid by',
  cardholder: 'Cardholder',
  'ordered.by': 'Ordered by',
  reference: 'Reference',
  'you.sent': 'You sent',
  'test.receipt': 'Test mode: no money has moved.',
  'continue.to': 'Continue to {merchant}',
  print: 'Print or save this receipt',
  returning: 'Returning to {merchant} in {seconds} seconds.',
  stay: 'Stay on this page',

  // Expired or cancelled.
  'ended.cancelled': 'This payment was canceled',
  'ended.invoice': 'This invoice can no longer be paid',
  'ended.invoice.why': 'It is already paid, or {merchant} no longer asks for it. Nothing was charged on this page.',
  'ended.received': 'We have received <b>{received}</b> from you.',
  'ended.missing': '{missing} was missing, so the sale was not completed.',
  'ended.refund.pending': 'It is being sent back to you. A fee may be deducted.',
  'ended.refund.succeeded': 'It has been sent back to you. A fee may have been deducted.',
  'ended.accepted': '{merchant} has accepted this amount as your payment. Please do not send the rest.',
  'ended.ask': 'Please ask {merchant} what happens next, and give them this reference:',
  'ended.do.not.send':
    'Please do not send any money now. If you have already sent some, we’ll notify {merchant} when it arrives.',
  'ended.reference': 'Your reference is',
  'ended.limited': 'It was open for a limited time.',
  'ended.setup.again': 'Your card was not saved. To save one, go back to {merchant} and start again.',
  'ended.again': 'You have not been charged. To pay, go back to {merchant} and start again.',

  // What is wrong at a field.
  'wrong.product': 'Choose one of these.',
  'wrong.sum': 'This amount is too high. Enter a smaller one.',
  'wrong.email': 'Enter an email address, such as ada@example.com.',
  'wrong.name': 'Enter your name.',
  'wrong.method': 'Choose a payment method.',
  'wrong.card': 'Enter your card details.',
  'wrong.saved': 'This saved card can no longer be used here. Use another card, or pay another way.',
  'wrong.number': 'Check the card number.',
  'wrong.expiry': 'Enter the month and year on the card, such as 09/29.',
  'wrong.past': 'This date has passed. Check the date on the card.',
  'wrong.cvc': 'Enter the 3 or 4 digits of the security code.',
  'wrong.phone': 'Enter your mobile money number.',
  'wrong.phone.country': 'Enter a mobile money number from {country}.',
  'wrong.provider': 'Choose your mobile money provider.',
  'wrong.asset': 'Choose a coin.',
  'wrong.code': 'Enter the code. It has at least 4 digits.',
  'wrong.amount': 'Enter an amount, such as {example}.',
  'wrong.amount.point': 'Enter the amount with a point before the cents and nothing else, such as {example}.',
  'wrong.amount.figures': 'Enter the amount in figures only, such as {example}.',
  'wrong.amount.between': 'Enter an amount from {low} to {high}.',
  'wrong.amount.least': 'Enter {low} or more.',
  'wrong.amount.most': 'Enter up to {high}.',
  'wrong.amount.unpaid': 'This amount cannot be paid here. Enter another one.',

  // Why a payment failed.
  'failed.card_declined':
    'Your bank declined the card. You have not been charged. Use another card, or contact your bank.',
  'failed.insufficient_funds':
    'There is not enough money on the card or account. You have not been charged. Use another one, or pay another way.',
  'failed.expired_card': 'The card has expired. You have not been charged. Use another card.',
  'failed.authentication_failed':
    'Your bank or wallet could not verify that it’s you. If you entered a code, it may have been wrong. You have not ' +
    'been charged. Try again, or pay another way.',
  'failed.customer_timeout':
    'The payment was not confirmed in time. You have not been charged. Try again when you are ready.',
  'failed.customer_rejected': 'You rejected the payment. You have not been charged. Try again, or pay another way.',
  'failed.invalid_account': 'The account is not valid. You have not been charged. Check it, or pay another way.',
  'failed.rail_unavailable':
    'The payment network did not accept the payment. You have not been charged. Try again, or pay another way.',
  'failed.other': 'The payment did not go through. You have not been charged. Try again, or pay another way.',

  // Why a form was refused.
  'problem.method': 'This payment method is not available here. Choose another one.',
  'problem.seller': 'The seller can’t take payments at the moment. You have not been charged.',
  'problem.state': 'That’s no longer possible. This is the current state of your payment.',
  'problem.attempts':
    'No more attempts can be made on this page. Nothing was charged this time. Go back to the seller and start again.',
  'problem.sold': 'Someone else has bought the last one, or is paying for it now. You have not been charged.',

  // A sale that repeats.
  'terms.title': 'What you agree to',
  'terms.trial.days': '{days, plural, one {# day} other {# days}} free',
  'terms.then': 'then {price}',
  'terms.price':
    '{price} {rhythm}{fee, select, yes { plus the payment fee} other {}}{currency, select, none {} other {, in ' +
    '{currency} at the rate of that day}}',
  'terms.price.open': 'The price of the plan you choose',
  'terms.free': '{price}: there is nothing to pay.',
  'terms.trial': '{trial}, then {price}. The first charge is on {next}.',
  'terms.trial.open': '{trial}, then the price of the plan you choose. The first charge is on {next}.',
  'terms.now': '{price}. The next charge is on {next}.',
  'terms.now.open': 'The price of the plan you choose is charged for each period.',
  'terms.card': 'Your card is saved, and {merchant} charges it for each period until you cancel.',
  'terms.invoice': 'You get an invoice to pay for each period until you cancel.',
  'terms.either':
    'If you pay by card: your card is saved, and {merchant} charges it for each period until you cancel. If you ' +
    'pay in another way, you get an invoice to pay for each period until you cancel.',
  'terms.stop.write': 'You can cancel at any time: write to {email}.',
  'terms.stop.contact': 'You can cancel at any time: contact {merchant}.',
}
