import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bankNamed, banksOf } from '../../domain/payout/bank.ts'
import {
  decisionError,
  type DestinationStatus,
  destinationStatuses,
  destinationMoves,
  isInReview,
  isUsable,
  lastFourOf,
  moveDestination,
  sandboxDecision,
} from '../../domain/payout/destination.ts'
import {
  accountIdentifierOf,
  isPayoutCurrency,
  isStablecoin,
  paidOutByType,
  paidOutCurrencies,
  payoutCurrencies,
  readRouting,
} from '../../domain/payout/routing.ts'
import { readAddress } from '../../domain/payout/wallet-address.ts'
import { destinations } from '../support/destination-examples.ts'
import { tryAll } from '../support/try-all.ts'

// The rules of destinations, tested without a running service.

test('every transition of a destination is legal or refused, as the contract’s table says', () => {
  const legal = {
    pending_review: ['pending_review', 'approved', 'rejected'],
    approved: ['pending_review'],
    rejected: [],
  } as const
  tryAll<DestinationStatus>(legal, destinationStatuses, moveDestination)
  assert.deepEqual(destinationMoves, legal)
})

test('money may be sent to a destination that is approved and not deactivated', () => {
  const usable = destinationStatuses.filter((status) => isUsable({ status, deactivatedAt: null }))
  assert.deepEqual(usable, ['approved'])
  assert.ok(!isUsable({ status: 'approved', deactivatedAt: new Date(0) }))
  assert.deepEqual(
    destinationStatuses.filter((status) =>
      isInReview({ status, deactivatedAt: null, currency: 'NGN' }, { currency: 'NGN' }),
    ),
    ['pending_review'],
  )
  const waiting = { status: 'pending_review', deactivatedAt: null, currency: 'NGN' } as const
  assert.ok(!isInReview({ ...waiting, deactivatedAt: new Date(0) }, waiting))
  assert.ok(!isInReview(waiting, { currency: 'GBP' }))
})

test('people recognize a destination by the last four characters of its account, phone or wallet', () => {
  const none = { accountNumber: null, phoneNumber: null, walletAddress: null }
  assert.equal(lastFourOf({ ...none, accountNumber: '0123456789' }), '6789')
  assert.equal(lastFourOf({ ...none, phoneNumber: '+254712345678' }), '5678')
  assert.equal(lastFourOf({ ...none, walletAddress: 'TR7NHqjeKQxG' }), 'KQxG')
  assert.equal(lastFourOf(none), null)
  const routing = readRouting(destinations.NGN, null, 'sandbox').routing
  assert.equal(accountIdentifierOf(routing), '0123456789')
  assert.equal(accountIdentifierOf(readRouting(destinations.wallet_KES, null, 'sandbox').routing), '+254712345678')
  assert.equal(
    accountIdentifierOf(readRouting(destinations.USDT_TRC20, null, 'sandbox').routing),
    destinations.USDT_TRC20.wallet_address,
  )
  assert.equal(accountIdentifierOf({ ...routing, account_number: null }), '')
})

test('the sandbox decides after five seconds: 0009 is rejected, 0008 left open, any other approved', () => {
  assert.deepEqual(sandboxDecision('0123456789', 1_000), { decision: 'approve', at: 6_000 })
  assert.deepEqual(sandboxDecision('0123450009', 1_000), { decision: 'reject', at: 6_000 })
  assert.equal(sandboxDecision('0123450008', 1_000), null)
  assert.deepEqual(sandboxDecision('0008123456', 0)?.decision, 'approve')
})

test('a decision about an earlier statement is refused, and so is the opposite one; the same one again is not', () => {
  const at = (status: DestinationStatus | 'deactivated', statement = 2) => ({ statement, status })
  assert.equal(decisionError(at('pending_review'), 2, 'approve'), null)
  assert.match(decisionError(at('pending_review', 3), 2, 'approve') ?? '', /restated/)
  assert.match(decisionError(at('rejected'), 2, 'approve') ?? '', /another decision/)
  assert.match(decisionError(at('approved'), 2, 'reject') ?? '', /another decision/)
  assert.equal(decisionError(at('approved'), 2, 'approve'), null)
  assert.equal(decisionError(at('rejected'), 2, 'reject'), null)
  assert.equal(decisionError(at('rejected', 1), 2, 'approve'), null)
})

test('banks are listed by name, and found by the code of their own currency alone', () => {
  for (const currency of ['NGN', 'GHS', 'KES', 'TZS', 'UGX']) {
    const banks = banksOf(currency)
    const names = banks.map(({ name }) => name.toLowerCase())
    assert.deepEqual(
      names,
      names.toSorted((one, other) => (one < other ? -1 : 1)),
    )
    assert.ok(banks.length > 7 && new Set(names).size === names.length)
    for (const { code, name } of banks) assert.equal(bankNamed(currency, code), name)
  }
  assert.deepEqual([banksOf('USD'), banksOf('constructor')], [[], []])
  assert.equal(bankNamed('NGN', '058'), 'Guaranty Trust Bank')
  assert.equal(bankNamed('GHS', '058'), null)
  // Codes have the form of their clearing house: CBN, GhIPSS, Kenya Bankers Association, BIC.
  const forms = {
    NGN: /^(\d{3}|\d{6})$/,
    GHS: /^\d{6}$/,
    KES: /^\d{2}$/,
    TZS: /^[A-Z]{4}TZ[A-Z]{2}$/,
    UGX: /^[A-Z]{4}UG[A-Z]{2}$/,
  }
  for (const [currency, form] of Object.entries(forms))
    for (const { code } of banksOf(currency)) assert.match(code, form)
})

test('a stated routing keeps what is left out, as far as it belongs to the rail', () => {
  const before = readRouting(destinations.NGN, null, 'sandbox').routing
  assert.deepEqual([before.bank_name, before.network, before.phone_number], ['Guaranty Trust Bank', null, null])
  const after = readRouting({ type: 'bank_account', currency: 'NGN', account_number: '1111111111' }, before, 'sandbox')
  assert.deepEqual(after, { routing: { ...before, account_number: '1111111111' }, errors: [] })
  const wallet = readRouting(destinations.USDT_TRC20, before, 'sandbox')
  assert.deepEqual([wallet.errors, wallet.routing.account_number, wallet.routing.network], [[], null, 'TRC20'])
  const named = readRouting(
    { ...destinations.GBP, bank_name: 'Barclays', account_name: 'Shop' },
    null,
    'sandbox',
  ).routing
  assert.deepEqual([named.bank_name, named.account_name], ['Barclays', 'Shop'])
})

test('the name of another bank than the stated one is not kept where our list had given it', () => {
  const { NGN, GBP, GHS } = destinations
  const readNew = (stated: Parameters<typeof readRouting>[0]) => readRouting(stated, null, 'sandbox').routing
  const nameAfter = (stated: Parameters<typeof readRouting>[0], before: Parameters<typeof readRouting>[1]) =>
    readRouting(stated, before, 'sandbox').routing.bank_name
  const listed = readNew({ ...NGN, bank_name: 'A name of our own' })
  assert.equal(listed.bank_name, 'Guaranty Trust Bank')
  assert.equal(nameAfter(GBP, listed), null)
  assert.equal(nameAfter({ ...GBP, bank_name: 'Barclays' }, listed), 'Barclays')
  assert.equal(nameAfter({ type: 'bank_account', currency: 'NGN' }, listed), 'Guaranty Trust Bank')
  assert.equal(nameAfter(GHS, listed), bankNamed('GHS', GHS.bank_code))
  // A name that was sent stays, as any field that is left out does.
  const sent = readNew({ ...GBP, bank_name: 'Barclays' })
  assert.equal(nameAfter({ ...GBP, bank_code: '200000' }, sent), 'Barclays')
})

test('what a rail needs is required, and what it does not know is an error; so is a currency without a rail', () => {
  const errorsOf = (stated: Parameters<typeof readRouting>[0]) =>
    readRouting(stated, null, 'live').errors.map(({ field, type }) => `${field} ${type}`)
  assert.deepEqual(errorsOf({ type: 'bank_account', currency: 'USD' }), [
    'account_number value_error.missing',
    'bank_code value_error.missing',
    'scheme value_error.missing',
  ])
  assert.deepEqual(errorsOf({ type: 'bank_account', currency: 'EUR' }), ['account_number value_error.missing'])
  assert.deepEqual(errorsOf({ ...destinations.wallet_KES, account_number: '1' }), ['account_number value_error'])
  assert.deepEqual(errorsOf({ ...destinations.wallet_KES, account_name: 'Ada', bank_name: 'x' }), [])
  assert.deepEqual(errorsOf({ type: 'mobile_money', currency: 'NGN' }), ['currency value_error'])
  const [none] = readRouting(
    { type: 'mobile_money', currency: 'NGN', phone_number: '+2348030000000' },
    null,
    'live',
  ).errors
  assert.match(none?.message ?? '', /mobile_money is paid out in GHS, KES, TZS$/)
  assert.deepEqual(errorsOf({ type: 'bank_account', currency: 'constructor' as 'USD' }), ['currency value_error'])
})

test('an ABA routing number begins with a number in use: 00 to 12, 21 to 32, 61 to 72 or 80', () => {
  /** A number that begins so, with the check digit of the American Bankers Association (weights 3, 7, 1). */
  const numberOf = (start: number) => {
    const digits = `${String(start).padStart(2, '0')}000001`
    const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * ([3, 7, 1][index % 3] ?? 0), 0)
    return `${digits}${(10 - (sum % 10)) % 10}`
  }
  const taken = (bank_code: string) => readRouting({ ...destinations.USD, bank_code }, null, 'live').errors.length === 0
  const used = Array.from({ length: 100 }, (_, start) => start).filter((start) => taken(numberOf(start)))
  const ranges = [
    [0, 12],
    [21, 32],
    [61, 72],
    [80, 80],
  ] as const
  const expected = ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, index) => from + index))
  assert.deepEqual(used, expected)
  for (const wrong of [`x${numberOf(2)}`, `${numberOf(2)}0`, `0${numberOf(2)}`]) assert.ok(!taken(wrong), wrong)
})

test('a transit number and a phone number are read whole: nothing before and nothing after', () => {
  const fieldsOf = (stated: Parameters<typeof readRouting>[0]) =>
    readRouting(stated, null, 'live').errors.map(({ field }) => field)
  for (const bank_code of ['x000300012', '0003000120', 'x00012-003', '00012-0030', '00012-003 '])
    assert.deepEqual(fieldsOf({ ...destinations.CAD, bank_code }), ['bank_code'], bank_code)
  for (const phone_number of ['x+254712345678', '+254712345678x', '+254', `+254${'1'.repeat(13)}`])
    assert.deepEqual(fieldsOf({ ...destinations.wallet_KES, phone_number }), ['phone_number'], phone_number)
})

test('the errors of a routing say what each field must be', () => {
  const messageOf = (stated: Parameters<typeof readRouting>[0]) =>
    readRouting(stated, null, 'live').errors.map(({ message }) => message)
  assert.deepEqual(messageOf({ ...destinations.GBP, account_number: '1' }), ['must have 8 digits'])
  assert.deepEqual(messageOf({ ...destinations.KES, account_number: '1' }), ['must have 6 to 16 digits'])
  assert.deepEqual(messageOf({ ...destinations.USD, scheme: 'x' }), ['must be one of ach, wire'])
  assert.deepEqual(messageOf({ type: 'bank_account', currency: 'EUR' }), ['is required'])
  assert.deepEqual(messageOf({ ...destinations.EUR, scheme: 'x' }), ['is not for bank_account in EUR'])
  const wrong = [
    { ...destinations.NGN, bank_code: '999', account_number: '1' },
    { ...destinations.GBP, bank_code: '1' },
    { ...destinations.USD, bank_code: '1' },
    { ...destinations.CAD, bank_code: '1' },
    { ...destinations.EUR, account_number: '1', bank_code: '1' },
    { ...destinations.wallet_KES, phone_number: '1' },
    { ...destinations.USDT_SOL, wallet_address: '1' },
  ]
  const said = wrong.flatMap(messageOf)
  assert.equal(said.length, 9)
  for (const message of said) assert.match(message, /^(is no|must be|is not a) .{3,}/)
})

test('the rails of the contract, and which of their currencies are coins', () => {
  assert.deepEqual(paidOutByType, {
    bank_account: ['NGN', 'GHS', 'KES', 'TZS', 'UGX', 'GBP', 'USD', 'CAD', 'EUR'],
    mobile_money: ['GHS', 'KES', 'TZS'],
    crypto_wallet: ['USDC_BEP20', 'USDT_BEP20', 'USDT_ERC20', 'USDT_SOL', 'USDT_TRC20'],
  })
  const all = [...paidOutByType.bank_account, ...paidOutByType.crypto_wallet].toSorted()
  assert.deepEqual(payoutCurrencies, all)
  assert.ok(
    isPayoutCurrency('USDT_SOL') && isPayoutCurrency('CAD') && !isPayoutCurrency('ETH_ETH') && !isPayoutCurrency('RWF'),
  )
  assert.ok(isStablecoin('USDT_SOL') && !isStablecoin('USD') && !isStablecoin('constructor'))
  const scheduled = ['CAD', 'EUR', 'GBP', 'GHS', 'KES', 'NGN', 'TZS', 'UGX', 'USD']
  assert.deepEqual([...paidOutCurrencies].toSorted(), scheduled)
})

test('an address without a checksum gets the right one, and networks without a reader have no addresses', () => {
  const { wallet_address: address } = destinations.USDT_ERC20
  assert.equal(readAddress('BEP20', address.toLowerCase()), address)
  assert.equal(readAddress('ETH', address), null)
  assert.equal(readAddress('ERC20', `${address}0`), null)
  assert.equal(readAddress('ERC20', ` ${address}`), null)
})
