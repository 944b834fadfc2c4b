import * as key from './api-key.ts'
import * as balance from './balance.ts'
import * as checkout from './checkout.ts'
import * as creation from './checkout-create.ts'
import * as settings from './checkout-settings.ts'
import * as pay from './checkout-pay.ts'
import * as conversion from './conversion.ts'
import * as quote from './conversion-quote.ts'
import * as customer from './customer.ts'
import * as desk from './desk.ts'
import * as holder from './account-holder.ts'
import * as event from './event-trigger.ts'
import * as login from './login.ts'
import * as logout from './logout.ts'
import * as mail from './mail.ts'
import type { Operation } from './operation.ts'
import * as own from './own-account.ts'
import * as payment from './payment.ts'
import * as payout from './payout.ts'
import * as schedule from './payout-schedule.ts'
import * as payoutStaff from './payout-staff.ts'
import * as destination from './payout-destination.ts'
import * as destinationReview from './payout-destination-review.ts'
import * as link from './payment-link.ts'
import * as opening from './payment-link-open.ts'
import * as category from './product-category.ts'
import * as group from './product-group.ts'
import * as product from './product.ts'
import * as method from './payment-method.ts'
import * as refund from './refund.ts'
import * as review from './review.ts'
import * as stuck from './stuck.ts'
import * as helper from './test-helper.ts'
import * as payoutHelper from './test-payout.ts'
import * as upload from './upload.ts'
import * as virtual from './virtual-account.ts'
import * as virtualDeposit from './virtual-account-deposit.ts'
import * as webhook from './webhook.ts'
import * as delivery from './webhook-delivery.ts'
import * as recovery from './webhook-recovery.ts'
import * as endpoint from './webhook-endpoint.ts'
import * as told from './webhook-event.ts'
import * as secret from './webhook-secret.ts'

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
