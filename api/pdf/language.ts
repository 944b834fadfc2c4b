import type { Currency } from '../../domain/currency.ts'
import {
  conventionsOf,
  createFigureWriter,
  createMoneyWriter,
  type LanguageCode,
  languageCodes,
  languageOf,
} from '../../domain/language.ts'
import { type Amount, isLess, negate } from '../../domain/money.ts'
import { recordOf } from '../../domain/narrow.ts'
import { receiptWords } from './receipt-words.ts'

const en = {
  invoice: 'Invoice {number}',
  draft: 'Draft invoice',
  'not.issued': 'Not issued yet',
  'due.by': 'Due by {day}',
  'paid.on': 'Paid on {day}',
  void: 'Void: not to be paid',
  unpaid: 'Not paid',
  'billed.to': 'Billed to',
  issued: 'Issued on',
  due: 'Due by',
  period: 'Period',
  span: '{start} to {end}',
  currency: 'Currency',
  description: 'Description',
  quantity: 'Quantity',
  'unit.price': 'Unit price',
  amount: 'Amount',
  unused: 'Unused time of {plan}',
  remaining: 'Remaining time of {plan}',
  'credit.next': 'Credit for the next invoice',
  subtotal: 'Subtotal',
  credit: 'Credit',
  total: 'Total ({currency})',
  paid: 'Amount paid',
  'amount.due': 'Amount due',
  page: 'Page {number} of {count}',
}

/** What all documents say in each language. Texts have their insertions in braces. */
const commonWords: Record<LanguageCode, Record<keyof typeof en, string>> = {
  en,
  fr: {
    invoice: 'Facture {number}',
    draft: 'Brouillon de facture',
    'not.issued': 'Pas encore émise',
    'due.by': 'À payer avant le {day}',
    'paid.on': 'Payée le {day}',
    void: 'Annulée : à ne pas payer',
    unpaid: 'Impayée',
    'billed.to': 'Client',
    issued: 'Émise le',
    due: 'À payer avant le',
    period: 'Période',
    span: 'du {start} au {end}',
    currency: 'Devise',
    description: 'Désignation',
    quantity: 'Quantité',
    'unit.price': 'Prix unitaire',
    amount: 'Montant',
    unused: 'Temps non utilisé de {plan}',
    remaining: 'Temps restant de {plan}',
    'credit.next': 'Avoir pour la prochaine facture',
    subtotal: 'Sous-total',
    credit: 'Avoir',
    total: 'Total, en {currency}',
    paid: 'Montant payé',
    'amount.due': 'Montant dû',
    page: 'Page {number} sur {count}',
  },
  sw: {
    invoice: 'Ankara {number}',
    draft: 'Rasimu ya ankara',
    'not.issued': 'Bado haijatolewa',
    'due.by': 'Lipa kabla ya {day}',
    'paid.on': 'Imelipwa tarehe {day}',
    void: 'Imebatilishwa: isilipwe',
    unpaid: 'Haijalipwa',
    'billed.to': 'Mteja',
    issued: 'Imetolewa tarehe',
    due: 'Lipa kabla ya',
    period: 'Kipindi',
    span: '{start} hadi {end}',
    currency: 'Sarafu',
    description: 'Maelezo',
    quantity: 'Idadi',
    'unit.price': 'Bei ya kimoja',
    amount: 'Kiasi',
    unused: 'Muda usiotumika wa {plan}',
    remaining: 'Muda uliobaki wa {plan}',
    'credit.next': 'Salio la ankara ijayo',
    subtotal: 'Jumla ndogo',
    credit: 'Salio la mteja',
    total: 'Jumla ({currency})',
    paid: 'Kiasi kilicholipwa',
    'amount.due': 'Kiasi kinachodaiwa',
    page: 'Ukurasa {number} wa {count}',
  },
  pt: {
    invoice: 'Fatura {number}',
    draft: 'Rascunho de fatura',
    'not.issued': 'Ainda não emitida',
    'due.by': 'A pagar até {day}',
    'paid.on': 'Paga em {day}',
    void: 'Anulada: não é para pagar',
    unpaid: 'Não paga',
    'billed.to': 'Cliente',
    issued: 'Emitida em',
    due: 'A pagar até',
    period: 'Período',
    span: '{start} a {end}',
    currency: 'Moeda',
    description: 'Descrição',
    quantity: 'Quantidade',
    'unit.price': 'Preço unitário',
    amount: 'Valor',
    unused: 'Tempo não usado de {plan}',
    remaining: 'Tempo restante de {plan}',
    'credit.next': 'Crédito para a próxima fatura',
    subtotal: 'Subtotal',
    credit: 'Crédito',
    total: 'Total em {currency}',
    paid: 'Valor pago',
    'amount.due': 'Valor a pagar',
    page: 'Página {number} de {count}',
  },
}

type Key = keyof typeof en | keyof typeof receiptWords.en

/** Everything that documents say in each language. */
export const paperWords: Record<LanguageCode, Record<Key, string>> = recordOf(languageCodes, (code) => ({
  ...commonWords[code],
  ...receiptWords[code],
}))

function createPaperLanguage(code: LanguageCode) {
  const days = new Intl.DateTimeFormat(conventionsOf(code), { dateStyle: 'long', timeZone: 'UTC' })
  const money = createMoneyWriter(code)
  const say = (key: Key, values: Record<string, string> = {}): string =>
    paperWords[code][key].replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
  /** A day in words, in UTC: nobody mistakes the month for the day. */
  const day = (moment: Date): string => days.format(moment)
  return {
    code,
    say,
    day,
    /** A span of days. */
    span: (start: Date, end: Date): string => say('span', { start: day(start), end: day(end) }),
    /** An amount as people write it, such as `₦5,000.00`, `KSh 10.00` or `−$2.50`. */
    amount: (amount: Amount, currency: Currency): string =>
      isLess(amount, '0') ? `−${money(negate(amount), currency)}` : money(amount, currency),
    /** A decimal string, such as a rate, with the marks of the language and all its digits. */
    figure: createFigureWriter(code),
  }
}

export type PaperLanguage = ReturnType<typeof createPaperLanguage>

const languages = recordOf(languageCodes, createPaperLanguage)
export const english = languages.en

/** The language of a document for a buyer: that of this locale if it is one of ours, else English. */
export const paperLanguageOf = (locale: string | null): PaperLanguage => languages[languageOf(locale) ?? 'en']
