/** A destination of each rail, with numbers that pass every check; wallet addresses are public examples. */
export const destinations = {
  NGN: { type: 'bank_account', currency: 'NGN', account_number: '0123456789', bank_code: '058' },
  GHS: { type: 'bank_account', currency: 'GHS', account_number: '1400001234567', bank_code: '040100' },
  KES: { type: 'bank_account', currency: 'KES', account_number: '01234567890', bank_code: '68' },
  TZS: { type: 'bank_account', currency: 'TZS', account_number: '0150123456700', bank_code: 'CORUTZTZ' },
  UGX: { type: 'bank_account', currency: 'UGX', account_number: '9030001234567', bank_code: 'SBICUGKX' },
  GBP: { type: 'bank_account', currency: 'GBP', account_number: '31926819', bank_code: '601613' },
  USD: { type: 'bank_account', currency: 'USD', account_number: '000123456789', bank_code: '021000021', scheme: 'ach' },
  CAD: { type: 'bank_account', currency: 'CAD', account_number: '1234567', bank_code: '000300012', scheme: 'eft' },
  EUR: { type: 'bank_account', currency: 'EUR', account_number: 'DE89370400440532013000' },
  wallet_GHS: { type: 'mobile_money', currency: 'GHS', phone_number: '+233241234567', mobile_provider: 'mtn' },
  wallet_KES: { type: 'mobile_money', currency: 'KES', phone_number: '+254712345678', mobile_provider: 'mpesa' },
  wallet_TZS: { type: 'mobile_money', currency: 'TZS', phone_number: '+255754123456', mobile_provider: 'vodacom' },
  USDT_ERC20: {
    type: 'crypto_wallet',
    currency: 'USDT_ERC20',
    wallet_address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', // an example of EIP-55
  },
  USDT_BEP20: {
    type: 'crypto_wallet',
    currency: 'USDT_BEP20',
    wallet_address: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359', // an example of EIP-55
  },
  USDC_BEP20: {
    type: 'crypto_wallet',
    currency: 'USDC_BEP20',
    wallet_address: '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb', // an example of EIP-55
  },
  USDT_TRC20: {
    type: 'crypto_wallet',
    currency: 'USDT_TRC20',
    wallet_address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', // the contract of Tether
  },
  USDT_SOL: {
    type: 'crypto_wallet',
    currency: 'USDT_SOL',
    wallet_address: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB', // the mint of Tether
  },
} as const
export type Rail = keyof typeof destinations
