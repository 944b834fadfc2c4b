import * as key from './api-key.ts'
import * as checkout from './checkout.ts'
import * as pay from './checkout-pay.ts'
import * as event from './event-trigger.ts'
import * as login from './login.ts'
import * as logout from './logout.ts'
import * as mail from './mail.ts'
import type { Operation } from './operation.ts'
import * as payment from './payment.ts'
import * as helper from './test-helper.ts'
import * as virtual from './virtual-account.ts'
import * as virtualDeposit from './virtual-account-deposit.ts'
import * as webhook from './webhook.ts'

/** Every operation of the API: the route table and the OpenAPI document are this list. */
export const operations: readonly Operation[] = [
  checkout.createCheckout,
  checkout.listCheckouts,
  checkout.getCheckout,
  pay.cancelCheckout,
  pay.getPublicCheckout,
  pay.payCheckout,
  pay.confirmCheckout,
  payment.listPayments,
  payment.getPayment,
  virtual.createVirtualAccount,
  virtual.listVirtualAccounts,
  virtual.getVirtualAccount,
  webhook.configureWebhook,
  webhook.getWebhookConfiguration,
  webhook.testWebhook,
  key.createKey,
  key.listKeys,
  key.revokeKey,
  key.changeScopes,
  helper.simulatePay,
  helper.simulateDeposit,
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
