import type { en } from './en.ts'

/** What mails to customers say, in French (see `en.ts`). */
export const fr: Record<keyof typeof en, string> = {
  hello: 'Bonjour {name},',
  'hello.all': 'Bonjour,',
  questions: 'Des questions ? Écrivez à {email}.',
  'pay.now': 'Payer maintenant',
  'see.invoice': 'Voir la facture',

  'trial.subject': 'Votre essai chez {merchant} se termine le {day}',
  'trial.ends': 'Votre essai de {plan} se termine le {day}.',
  'trial.nothing': 'Rien ne sera débité, car l’abonnement se termine en même temps.',
  'trial.paused': 'Rien ne sera débité à ce moment-là, car l’abonnement sera en pause.',
  'trial.then': 'Ensuite, {amount} seront débités {rhythm}, sauf si vous résiliez avant.',
  'trial.charge':
    '{amount}{fee, select, yes { plus les frais de paiement} other {}}' +
    '{currency, select, none {} other { (en {currency} au taux du jour)}}',

  'failed.subject': 'Votre paiement à {merchant} a échoué',
  'failed.what': 'Nous n’avons pas pu encaisser {amount} pour {plan}.',
  'failed.over': 'Nous n’essaierons plus, et l’abonnement est terminé.',
  'failed.again': 'Nous réessaierons le {day}. Vous pouvez aussi payer maintenant.',
  'failed.until': 'Votre carte ne peut plus être débitée. Payez avant le {day}, sinon l’abonnement se termine.',
  'failed.pay': 'Payez maintenant, s’il vous plaît.',

  'unpaid.subject': 'Votre facture de {merchant} n’est pas encore payée',
  'unpaid.what': 'Votre facture {number} pour {plan} est de {amount}, et n’est pas encore payée.',
  'unpaid.over': 'L’abonnement est terminé.',
  'unpaid.again': 'Payez maintenant, s’il vous plaît. Nous vous le rappellerons le {day}.',
  'unpaid.until': 'Payez avant le {day}, sinon l’abonnement se termine.',

  'receipt.subject': 'Votre reçu de {merchant}',
  'receipt.thanks': 'Merci pour votre paiement de {amount} pour {plan}.',
  'receipt.invoice': 'C’est la facture {number}, pour la période du {start} au {end}.',

  'invoice.subject': 'Votre facture de {merchant}',
  'invoice.what': 'Votre facture {number} pour {plan} est de {amount}.',
  'invoice.by': 'Payez-la avant le {day}, s’il vous plaît.',

  'canceled.subject': 'Votre abonnement chez {merchant} est terminé',
  'canceled.what': 'Votre abonnement à {plan} s’est terminé le {day}.',
  'canceled.unpaid': 'Il s’est terminé parce qu’il n’a pas pu être payé. Plus rien ne sera débité.',
  'canceled.nothing': 'Plus rien ne sera débité.',

  'rhythm.day': '{count, plural, =1 {par jour} other {tous les # jours}}',
  'rhythm.week': '{count, plural, =1 {par semaine} other {toutes les # semaines}}',
  'rhythm.month': '{count, plural, =1 {par mois} other {tous les # mois}}',
  'rhythm.year': '{count, plural, =1 {par an} other {tous les # ans}}',
}
