import type { enEnd } from './en-end.ts'

/** What buyers read where something has ended, is wrong, or is agreed to, in Swahili (see `en.ts`). */
export const swEnd: Record<keyof typeof enEnd, string> = {
  // The receipt.
  'paid.title': 'Malipo yamekamilika',
  'paid.trial': 'Majaribio yako yameanza',
  'paid.subscription': 'Usajili wako umeanza',
  'paid.saved': 'Kadi yako imehifadhiwa',
  'paid.order': 'Agizo lako limekamilika',
  'paid.trial.until': 'Majaribio yako na {merchant} yanaendelea hadi {next}. Hakuna kilichotozwa sasa.',
  'paid.subscribed': 'Umejiunga na {merchant}. Hakuna kilichotozwa sasa.',
  'paid.saved.later':
    '{merchant} anaweza kutoza kadi hii baadaye, kulingana na makubaliano yenu. Hakuna kilichotozwa sasa.',
  'paid.received': '{merchant} amepokea malipo yako ya <b>{amount}</b>.',
  'paid.free': '{merchant} amepokea agizo lako. Hakuna cha kulipa.',
  'paid.pulled': 'Kadi yako itatozwa wakati huo, na kila kipindi hadi ughairi.',
  'paid.invoiced': 'Utapata ankara kabla, ambayo utalipa kwa kiungo chake.',
  'paid.surplus':
    'Umetuma <b>{surplus}</b> zaidi ya kiasi kinachodaiwa. {merchant} amepokea ziada hiyo pia. Ili kurudishiwa, ' +
    'wasiliana na {merchant}.',
  receipt: 'Risiti',
  confirmation: 'Uthibitisho',
  'paid.to': 'Imelipwa kwa',
  'saved.for': 'Imehifadhiwa kwa',
  'ordered.from': 'Imeagizwa kutoka',
  questions: 'Maswali',
  date: 'Tarehe',
  'paid.with': 'Njia iliyotumika',
  subscription: 'Usajili',
  'next.charge': 'Tozo lijalo',
  'next.due': 'Malipo yajayo',
  transaction: 'Muamala',
  'paid.by': 'Imelipwa na',
  cardholder: 'Mwenye kadi',
  'ordered.by': 'Imeagizwa na',
  reference: 'Kumbukumbu',
  'you.sent': 'Umetuma',
  'test.receipt': 'Hali ya majaribio: hakuna pesa iliyohamishwa.',
  'continue.to': 'Endelea kwa {merchant}',
  print: 'Chapisha au hifadhi risiti hii',
  returning: 'Unarudi kwa {merchant} baada ya sekunde {seconds}.',
  stay: 'Baki kwenye ukurasa huu',

  // Expired or cancelled.
  'ended.cancelled': 'Malipo haya yameghairiwa',
  'ended.invoice': 'Ankara hii haiwezi kulipwa tena',
  'ended.invoice.why': 'Imeshalipwa, au {merchant} haombi tena malipo yake. Hakuna kilichotozwa kwenye ukurasa huu.',
  'ended.received': 'Tumepokea <b>{received}</b> kutoka kwako.',
  'ended.missing': 'Ilipungua {missing}, kwa hiyo mauzo hayakukamilika.',
  'ended.refund.pending': 'Kiasi hiki kinarudishwa kwako. Huenda ada ikakatwa.',
  'ended.refund.succeeded': 'Kiasi hiki kimerudishwa kwako. Huenda ada imekatwa.',
  'ended.accepted': '{merchant} amekubali kiasi hiki kama malipo. Tafadhali usitume kilichobaki.',
  'ended.ask': 'Tafadhali muulize {merchant} kinachofuata, na umpe kumbukumbu hii:',
  'ended.do.not.send': 'Tafadhali usitume pesa sasa. Kama tayari umetuma, tutamjulisha {merchant} zikifika.',
  'ended.reference': 'Kumbukumbu yako ni',
  'ended.limited': 'Ulikuwa wazi kwa muda maalum.',
  'ended.setup.again': 'Kadi yako haikuhifadhiwa. Ili kuhifadhi kadi, rudi kwa {merchant} na uanze tena.',
  'ended.again': 'Hujatozwa. Ili kulipa, rudi kwa {merchant} na uanze tena.',

  // What is wrong at a field.
  'wrong.product': 'Chagua moja kati ya hizi.',
  'wrong.sum': 'Kiasi hiki ni kikubwa mno. Andika kidogo zaidi.',
  'wrong.email': 'Andika anwani ya barua pepe, kwa mfano ada@example.com.',
  'wrong.name': 'Andika jina lako.',
  'wrong.method': 'Chagua njia ya malipo.',
  'wrong.card': 'Andika maelezo ya kadi yako.',
  'wrong.saved': 'Kadi hii iliyohifadhiwa haiwezi kutumika tena hapa. Tumia kadi nyingine, au lipa kwa njia nyingine.',
  'wrong.number': 'Angalia nambari ya kadi.',
  'wrong.expiry': 'Andika mwezi na mwaka ulio kwenye kadi, kwa mfano 09/29.',
  'wrong.past': 'Tarehe hii imepita. Angalia tarehe kwenye kadi.',
  'wrong.cvc': 'Andika tarakimu 3 au 4 za msimbo wa usalama.',
  'wrong.phone': 'Andika nambari yako ya pesa kwa simu.',
  'wrong.phone.country': 'Andika nambari ya pesa kwa simu ya nchi hii: {country}.',
  'wrong.provider': 'Chagua mtoa huduma wako wa pesa kwa simu.',
  'wrong.asset': 'Chagua sarafu.',
  'wrong.code': 'Andika msimbo. Una angalau tarakimu 4.',
  'wrong.amount': 'Andika kiasi, kwa mfano {example}.',
  'wrong.amount.point': 'Andika kiasi kwa nukta kabla ya senti na si kingine, kwa mfano {example}.',
  'wrong.amount.figures': 'Andika kiasi kwa tarakimu pekee, kwa mfano {example}.',
  'wrong.amount.between': 'Andika kiasi kuanzia {low} hadi {high}.',
  'wrong.amount.least': 'Andika {low} au zaidi.',
  'wrong.amount.most': 'Andika hadi {high}.',
  'wrong.amount.unpaid': 'Kiasi hiki hakiwezi kulipwa hapa. Andika kingine.',

  // Why a payment failed.
  'failed.card_declined': 'Benki yako imekataa kadi. Hujatozwa. Tumia kadi nyingine, au wasiliana na benki yako.',
  'failed.insufficient_funds':
    'Hakuna pesa za kutosha kwenye kadi au akaunti. Hujatozwa. Tumia nyingine, au lipa kwa njia nyingine.',
  'failed.expired_card': 'Kadi imeisha muda. Hujatozwa. Tumia kadi nyingine.',
  'failed.authentication_failed':
    'Benki au pochi yako haikuweza kuthibitisha kuwa ni wewe. Kama uliandika msimbo, huenda haukuwa sahihi. ' +
    'Hujatozwa. Jaribu tena, au lipa kwa njia nyingine.',
  'failed.customer_timeout': 'Malipo hayakuthibitishwa kwa wakati. Hujatozwa. Jaribu tena ukiwa tayari.',
  'failed.customer_rejected': 'Umekataa malipo. Hujatozwa. Jaribu tena, au lipa kwa njia nyingine.',
  'failed.invalid_account': 'Akaunti si halali. Hujatozwa. Iangalie, au lipa kwa njia nyingine.',
  'failed.rail_unavailable': 'Mtandao wa malipo haukukubali malipo. Hujatozwa. Jaribu tena, au lipa kwa njia nyingine.',
  'failed.other': 'Malipo hayakufaulu. Hujatozwa. Jaribu tena, au lipa kwa njia nyingine.',

  // Why a form was refused.
  'problem.method': 'Njia hii ya malipo haipatikani hapa. Chagua nyingine.',
  'problem.seller': 'Muuzaji hawezi kupokea malipo kwa sasa. Hujatozwa.',
  'problem.state': 'Hilo haliwezekani tena. Hii ndiyo hali ya sasa ya malipo yako.',
  'problem.attempts': 'Huwezi kujaribu tena kwenye ukurasa huu. Safari hii hujatozwa. Rudi kwa muuzaji na uanze tena.',
  'problem.sold': 'Mtu mwingine amenunua cha mwisho, au anakilipia sasa. Hujatozwa.',

  // A sale that repeats.
  'terms.title': 'Unachokubali',
  'terms.trial.days': '{days, plural, one {Siku # bure} other {Siku # bure}}',
  'terms.then': 'kisha {price}',
  'terms.price':
    '{price} {rhythm}{fee, select, yes { pamoja na ada ya malipo} other {}}{currency, select, none {} other {, ' +
    'kwa {currency} kwa kiwango cha siku hiyo}}',
  'terms.price.open': 'Bei ya mpango unaouchagua',
  'terms.free': '{price}: hakuna cha kulipa.',
  'terms.trial': '{trial}, kisha {price}. Tozo la kwanza ni {next}.',
  'terms.trial.open': '{trial}, kisha bei ya mpango unaouchagua. Tozo la kwanza ni {next}.',
  'terms.now': '{price}. Tozo lijalo ni {next}.',
  'terms.now.open': 'Bei ya mpango unaouchagua inatozwa kila kipindi.',
  'terms.card': 'Kadi yako inahifadhiwa, na {merchant} anaitoza kila kipindi hadi ughairi.',
  'terms.invoice': 'Utapata ankara ya kulipa kila kipindi hadi ughairi.',
  'terms.either':
    'Ukilipa kwa kadi: kadi yako inahifadhiwa, na {merchant} anaitoza kila kipindi hadi ughairi. Ukilipa kwa njia ' +
    'nyingine, utapata ankara ya kulipa kila kipindi hadi ughairi.',
  'terms.stop.write': 'Unaweza kughairi wakati wowote: andika kwa {email}.',
  'terms.stop.contact': 'Unaweza kughairi wakati wowote: wasiliana na {merchant}.',
}
