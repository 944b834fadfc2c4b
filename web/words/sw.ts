import type { en } from './en.ts'

/** What all pages for buyers say, in Swahili (see `en.ts`). */
export const sw: Record<keyof typeof en, string> = {
  // All pages.
  'test.mode': '<b>Hali ya majaribio:</b> hakuna pesa inayohamishwa.',
  'title.error': 'Hitilafu: {title}',
  continue: 'Endelea',
  'missing.title': 'Ukurasa huu haupo',
  'missing.help': 'Hakikisha kiungo kimekamilika. Kama bado hakifanyi kazi, omba kiungo kipya kutoka dukani.',
  'wait.title': 'Tafadhali subiri kidogo',
  'wait.itself': 'Ukurasa huu unajaribu tena wenyewe.',
  'try.again': 'Jaribu tena',
  'ended.expired': 'Ukurasa huu umeisha muda',
  'write.to': 'Una maswali? Andika kwa',
  'page.enter': 'Subiri kidogo',
  'page.cookies':
    'Ukiona ukurasa huu papo hapo, kivinjari chako kinazuia vidakuzi. Viruhusu, kisha fungua kiungo tena.',
  'page.unchanged': 'Hakuna kilichobadilishwa',
  'page.foreign': 'Fomu hii si ya ukurasa huu, au umefungua ukurasa mwingine baadaye. Tafadhali anza tena.',

  // Amounts and people.
  subtotal: 'Jumla ndogo',
  total: 'Jumla',
  'button.pay': 'Lipa {amount}',
  'your.details': 'Maelezo yako',
  name: 'Jina',
  country: 'Nchi',
  address: 'Anwani',
  'phone.called': 'Nambari ya simu',

  // Why a form was refused.
  'problem.fields': 'Tafadhali rekebisha yafuatayo.',
  'problem.often': 'Umejaribu mara nyingi mno. Jaribu tena baada ya {wait}.',
  'problem.ours': 'Kuna hitilafu upande wetu. Jaribu tena baada ya muda mfupi.',
  'problem.once': 'Hutatozwa mara mbili.',
  'wait.minutes': '{count, plural, one {dakika moja} other {dakika #}}',
  'wait.seconds': '{count, plural, one {sekunde moja} other {sekunde #}}',

  // How often something is paid.
  'rhythm.day': '{count, plural, =1 {kila siku} other {kila siku #}}',
  'rhythm.week': '{count, plural, =1 {kila wiki} other {kila wiki #}}',
  'rhythm.month': '{count, plural, =1 {kila mwezi} other {kila miezi #}}',
  'rhythm.year': '{count, plural, =1 {kila mwaka} other {kila miaka #}}',

  // The script of the pages.
  'script.copy': 'Nakili',
  'script.copy.what': 'Nakili: {what}',
  'script.copied': 'Imenakiliwa',
  'script.copied.what': '{what}: imenakiliwa',
  'script.left': 'imebaki {clock}',
  'script.up': 'Muda umeisha',
  'script.minutes': '{count, plural, one {Imebaki dakika #} other {Zimebaki dakika #}}',
  'script.seconds': '{count, plural, one {Imebaki sekunde #} other {Zimebaki sekunde #}}',
  'script.unreachable': 'Hatukuweza kufikia seva. Angalia mtandao wako na ujaribu tena. Hutatozwa mara mbili.',
  'script.prices': 'Bei sasa ni kwa {currency}',
  'script.file': 'Faili hii ni kubwa kuliko MB 10. Chagua ndogo zaidi.',
}
