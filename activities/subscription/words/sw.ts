import type { en } from './en.ts'

/** What mails to customers say, in Swahili (see `en.ts`). */
export const sw: Record<keyof typeof en, string> = {
  hello: 'Habari {name},',
  'hello.all': 'Habari,',
  questions: 'Una maswali? Andika kwa {email}.',
  'pay.now': 'Lipa sasa',
  'see.invoice': 'Tazama ankara',

  'trial.subject': 'Majaribio yako na {merchant} yanaisha tarehe {day}',
  'trial.ends': 'Majaribio yako ya {plan} yanaisha tarehe {day}.',
  'trial.nothing': 'Hakuna kitakachotozwa, kwa sababu usajili unaisha pamoja nayo.',
  'trial.paused': 'Hakuna kitakachotozwa wakati huo, kwa sababu usajili umesitishwa kwa muda.',
  'trial.then': 'Kisha {amount} zitatozwa {rhythm}, isipokuwa ukighairi kabla.',
  'trial.charge':
    '{amount}{fee, select, yes { pamoja na ada ya malipo} other {}}' +
    '{currency, select, none {} other { (kwa {currency} kwa kiwango cha siku hiyo)}}',

  'failed.subject': 'Malipo yako kwa {merchant} yalishindikana',
  'failed.what': 'Hatukuweza kupokea {amount} kwa ajili ya {plan}.',
  'failed.over': 'Hatutajaribu tena, na usajili umekwisha.',
  'failed.again': 'Tutajaribu tena tarehe {day}. Unaweza pia kulipa sasa.',
  'failed.until': 'Kadi yako haiwezi kutozwa tena. Tafadhali lipa kabla ya {day}, la sivyo usajili utakwisha.',
  'failed.pay': 'Tafadhali lipa sasa.',

  'unpaid.subject': 'Ankara yako kutoka {merchant} bado haijalipwa',
  'unpaid.what': 'Ankara yako {number} ya {plan} ni {amount}, na bado haijalipwa.',
  'unpaid.over': 'Usajili umekwisha.',
  'unpaid.again': 'Tafadhali lipa sasa. Tutakukumbusha tarehe {day}.',
  'unpaid.until': 'Tafadhali lipa kabla ya {day}, la sivyo usajili utakwisha.',

  'receipt.subject': 'Risiti yako kutoka {merchant}',
  'receipt.thanks': 'Asante kwa malipo yako ya {amount} kwa ajili ya {plan}.',
  'receipt.invoice': 'Ni ankara {number}, ya kipindi cha {start} hadi {end}.',

  'invoice.subject': 'Ankara yako kutoka {merchant}',
  'invoice.what': 'Ankara yako {number} ya {plan} ni {amount}.',
  'invoice.by': 'Tafadhali ilipe kabla ya {day}.',

  'canceled.subject': 'Usajili wako na {merchant} umekwisha',
  'canceled.what': 'Usajili wako wa {plan} ulikwisha tarehe {day}.',
  'canceled.unpaid': 'Ulikwisha kwa sababu haukuweza kulipwa. Hakuna kingine kitakachotozwa.',
  'canceled.nothing': 'Hakuna kingine kitakachotozwa.',

  'rhythm.day': '{count, plural, =1 {kila siku} other {kila siku #}}',
  'rhythm.week': '{count, plural, =1 {kila wiki} other {kila wiki #}}',
  'rhythm.month': '{count, plural, =1 {kila mwezi} other {kila miezi #}}',
  'rhythm.year': '{count, plural, =1 {kila mwaka} other {kila miaka #}}',
}
