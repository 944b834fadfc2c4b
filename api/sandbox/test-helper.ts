import Type from 'typebox'
import { Checkout } from '../../db/checkout/checkout.ts'
import { PaymentRequest } from '../../db/checkout/payment.ts'
import { Checkout as CheckoutShape } from '../../schemas/checkout/checkout.ts'
import { idParameter, nullable } from '../../schemas/common.ts'
import { Payment } from '../../schemas/checkout/payment.ts'
import { findCheckout, showCheckout } from '../checkout/checkout.ts'
import { findPayment, showPayment } from '../checkout/payment.ts'
import { updateProcess, storeRequest } from '../checkout/pay.ts'
import { assertSandbox } from '../http/assert-sandbox.ts'
import { operation } from '../http/operation.ts'
import { testHelper } from './declared.ts'
import { validateAmount, depositInSandbox } from './test-deposit.ts'
import { carryOutPlan, choiceOf, PayInSandbox, planOf, withPick } from './test-plan.ts'

export const simulatePay = operation({
  ...testHelper,
  path: '/v1/test-helpers/checkout-sessions/{checkout_id}/pay',
  summary: 'Pay a session like a buyer, with the outcome you choose',
  makes: 'pay',
  params: Type.Object({ checkout_id: idParameter('chk') }),
  body: PayInSandbox,
  validate: validateAmount,
  returns: [200, CheckoutShape],
  refuses: ['NOT_FOUND', 'CONFLICT', 'SIMULATION_NOT_ALLOWED', 'PAYMENT_METHOD_NOT_ALLOWED', 'BAD_GATEWAY'],

  async handle({ params, body, caller, em, now, callId, isRepeat, services }) {
    assertSandbox(caller)
    const row = withPick(await findCheckout(em, caller, params.checkout_id), body)
    const plan = await planOf(services, row, body)
    const isStored = isRepeat && (await em.count(PaymentRequest, { id: callId })) > 0
    if (!isStored) {
      const choice = await choiceOf(services, row, plan, body, now)
      // no buyer comes back from the bank, so there is no return URL
      await storeRequest(services, row, { id: callId, ...choice, encryptedReturnUrl: null })
    }
    await updateProcess(services, row, 'pay', [callId, plan.corridor !== null], callId)
    await carryOutPlan(services, plan, body.outcome ?? 'success', callId, now)
    const fork = em.fork()
    return showCheckout(fork, await fork.findOneOrFail(Checkout, { id: row.id }))
  },
})

const Deposit = Type.Object(
  {
    amount: Type.Optional(
      Type.String({ description: 'In the payment’s currency or asset. Left out: the missing amount.' }),
    ),
    sender_name: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 255 }))),
    session_id: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9]{1,64}$', examples: ['S20261120'] })),
    tx_hash: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9]{1,128}$', examples: ['0x5f2c'] })),
  },
  { $id: 'SimulatedDeposit' },
)

export const simulateDeposit = operation({
  ...testHelper,
  path: '/v1/test-helpers/payments/{payment_id}/deposit',
  summary: 'Send a bank transfer to the account of a payment, or coins to its address',
  params: Type.Object({ payment_id: idParameter('pay') }),
  body: Deposit,
  validate: validateAmount,
  returns: [200, Payment],
  refuses: ['NOT_FOUND', 'CONFLICT', 'SIMULATION_NOT_ALLOWED'],

  async handle({ params, body, caller, em, now, callId, services }) {
    assertSandbox(caller)
    const payment = await findPayment(em, caller, params.payment_id)
    return showPayment(em, await depositInSandbox(services, payment.id, { ...body, callId }, now), services)
  },
})
