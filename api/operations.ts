import * as key from './access/api-key.ts'
import * as balance from './balance/balance.ts'
import * as checkout from './checkout/checkout.ts'
import * as creation from './checkout/checkout-create.ts'
import * as settings from './checkout/settings.ts'
import * as pay from './checkout/checkout-pay.ts'
import * as conversion from './balance/conversion.ts'
import * as quote from './balance/conversion-quote.ts'
import * as customer from './customer.ts'
import * as desk from './payout/desk.ts'
import * as holder from './payout/account-holder.ts'
import * as event from './sandbox/event-trigger.ts'
import * as login from './access/login.ts'
import * as logout from './access/logout.ts'
import * as mail from './sandbox/mail.ts'
import type { Operation } from './http/operation.ts'
import * as own from './platform/own-account.ts'
import * as payment from './checkout/payment.ts'
import * as payout from './payout/payout.ts'
import * as schedule from './payout/schedule.ts'
import * as payoutStaff from './payout/operator.ts'
import * as destination from './payout/destination.ts'
import * as destinationReview from './payout/destination-review.ts'
import * as link from './checkout/payment-link.ts'
import * as opening from './checkout/payment-link-open.ts'
import * as category from './catalogue/product-category.ts'
import * as group from './catalogue/product-group.ts'
import * as product from './catalogue/product.ts'
import * as method from './checkout/payment-method.ts'
import * as refund from './refund.ts'
import * as review from './payout/review.ts'
import * as stuck from './payout/stuck.ts'
import * as helper from './sandbox/test-helper.ts'
import * as payoutHelper from './sandbox/test-payout.ts'
import * as upload from './catalogue/upload.ts'
import * as virtual from './platform/virtual-account.ts'
import * as virtualDeposit from './platform/virtual-account-deposit.ts'
import * as webhook from './webhook/configuration.ts'
import * as delivery from './webhook/delivery.ts'
import * as recovery from './webhook/recovery.ts'
import * as endpoint from './webhook/endpoint.ts'
import * as told from './webhook/event.ts'
import * as secret from './webhook/secret.ts'

/** Every operation of the API: the route table and the OpenAPI document are this list. */
export const operations: readonly Operation[] = [
  creation.createCheckout,
  checkout.listCheckouts,
  checkout.getCheckout,
  pay.cancelCheckout,
  pay.getPublicCheckout,
  pay.payCheckout,
  pay.confirmCheckout,
  settings.changeCheckoutSettings,
  settings.getCheckoutSettings,
  own.getOwnAccount,
  own.changeOwnAccount,
  link.createPaymentLink,
  link.listPaymentLinks,
  link.getPaymentLink,
  link.changePaymentLink,
  opening.getPublicPaymentLink,
  opening.openPaymentLink,
  payment.listPayments,
  payment.getPayment,
  payment.acceptPayment,
  product.createProduct,
  product.listProducts,
  product.getProduct,
  product.changeProduct,
  product.archiveProduct,
  group.createProductGroup,
  group.listProductGroups,
  group.getProductGroup,
  group.changeProductGroup,
  group.archiveProductGroup,
  upload.createUpload,
  upload.removeUpload,
  category.listProductCategories,
  customer.createCustomer,
  customer.listCustomers,
  customer.getCustomer,
  customer.updateCustomer,
  method.listPaymentMethods,
  method.listSavedPaymentMethods,
  method.attachPaymentMethod,
  refund.createRefund,
  refund.getRefund,
  refund.getRefundOfCharge,
  refund.listRefunds,
  destination.createDestination,
  destination.listDestinations,
  holder.resolveAccount,
  destination.getDestination,
  destination.changeDestination,
  destination.deleteDestination,
  holder.listBanks,
  desk.readDeskDestination,
  desk.readDeskPayout,
  destinationReview.reviewDestination,
  review.listReviews,
  review.claimReview,
  payout.createPayout,
  payout.estimatePayout,
  payout.listPayouts,
  payout.getPayout,
  payoutStaff.reviewPayout,
  payoutStaff.retryPayout,
  payoutStaff.markSettled,
  payoutStaff.markFailed,
  stuck.listStuck,
  quote.createQuote,
  quote.getQuote,
  conversion.createConversion,
  conversion.listConversions,
  conversion.getConversion,
  schedule.setBalanceSettings,
  schedule.getBalanceSettings,
  balance.listBalances,
  balance.listBalanceTransactions,
  virtual.createVirtualAccount,
  virtual.listVirtualAccounts,
  virtual.getVirtualAccount,
  webhook.configureWebhook,
  webhook.getWebhookConfiguration,
  webhook.testWebhook,
  endpoint.createEndpoint,
  endpoint.listEndpoints,
  endpoint.getEndpoint,
  endpoint.changeEndpoint,
  endpoint.deleteEndpoint,
  secret.getSecret,
  secret.rotateSecret,
  delivery.testEndpoint,
  delivery.listDeliveries,
  recovery.recoverEndpoint,
  recovery.getRecovery,
  told.listEvents,
  told.getEvent,
  told.resendEvent,
  key.createKey,
  key.listKeys,
  key.revokeKey,
  key.changeScopes,
  helper.simulatePay,
  helper.simulateDeposit,
  payoutHelper.settlePayout,
  virtualDeposit.simulateVirtualAccountDeposit,
  event.triggerEvent,
  mail.listEmails,
  login.beginLogin,
  login.sendPassword,
  login.verifyLogin,
  login.resendCode,
  logout.refreshTokens,
  logout.logOut,
]
