import type { enEnd } from './en-end.ts'

/** What buyers read where something has ended, is wrong, or is agreed to, in French (see `en.ts`). */
export const frEnd: Record<keyof typeof enEnd, string> = {
  // The receipt.
  'paid.title': 'Paiement effectué',
  'paid.trial': 'Votre essai a commencé',
  'paid.subscription': 'Votre abonnement a commencé',
  'paid.saved': 'Votre carte est enregistrée',
  'paid.order': 'Votre commande est terminée',
  'paid.trial.until': 'Votre essai chez {merchant} dure jusqu’au {next}. Rien n’a été débité maintenant.',
  'paid.subscribed': 'Vous êtes abonné à {merchant}. Rien n’a été débité maintenant.',
  'paid.saved.later':
    '{merchant} pourra débiter cette carte plus tard, selon votre accord. Rien n’a été débité maintenant.',
  'paid.received': '{merchant} a reçu votre paiement de <b>{amount}</b>.',
  'paid.free': '{merchant} a reçu votre commande. Il n’y a rien à payer.',
  'paid.pulled': 'Votre carte sera alors débitée, puis à chaque période jusqu’à la résiliation.',
  'paid.invoiced': 'Vous recevrez avant une facture, à payer par son lien.',
  'paid.surplus':
    'Vous avez envoyé <b>{surplus}</b> de plus que le montant dû. {merchant} a aussi reçu ce surplus. Pour le ' +
    'récupérer, contactez {merchant}.',
  receipt: 'Reçu',
  confirmation: 'Confirmation',
  'paid.to': 'Payé à',
  'saved.for': 'Enregistrée pour',
  'ordered.from': 'Commandé chez',
  questions: 'Questions',
  date: 'Date',
  'paid.with': 'Payé par',
  subscription: 'Abonnement',
  'next.charge': 'Prochain débit',
  'next.due': 'Prochaine échéance',
  transaction: 'Transaction',
  'paid.by': 'Client',
  cardholder: 'Titulaire de la carte',
  'ordered.by': 'Commandé par',
  reference: 'Référence',
  'you.sent': 'Vous avez envoyé',
  'test.receipt': 'Mode test : aucun argent n’a circulé.',
  'continue.to': 'Continuer vers {merchant}',
  print: 'Imprimer ou enregistrer ce reçu',
  returning: 'Retour chez {merchant} dans {seconds} secondes.',
  stay: 'Rester sur cette page',

  // Expired or cancelled.
  'ended.cancelled': 'Ce paiement a été annulé',
  'ended.invoice': 'Cette facture ne peut plus être payée',
  'ended.invoice.why':
    'Elle est déjà payée, ou {merchant} n’en demande plus le paiement. Rien n’a été débité sur cette page.',
  'ended.received': 'Nous avons reçu <b>{received}</b> de votre part.',
  'ended.missing': 'Il manquait {missing}, la vente n’a donc pas été conclue.',
  'ended.refund.pending': 'Cette somme est en cours de remboursement. Des frais peuvent être déduits.',
  'ended.refund.succeeded': 'Cette somme vous a été remboursée. Des frais ont pu être déduits.',
  'ended.accepted': '{merchant} a accepté cette somme comme paiement. N’envoyez pas le reste.',
  'ended.ask': 'Demandez à {merchant} quelle est la suite, et donnez cette référence :',
  'ended.do.not.send':
    'N’envoyez pas d’argent maintenant. Si vous en avez déjà envoyé, nous préviendrons {merchant} dès son ' +
    'arrivée.',
  'ended.reference': 'Votre référence est',
  'ended.limited': 'Elle n’était ouverte que pour une durée limitée.',
  'ended.setup.again':
    'Votre carte n’a pas été enregistrée. Pour en enregistrer une, revenez chez {merchant} et recommencez.',
  'ended.again': 'Vous n’avez pas été débité. Pour payer, revenez chez {merchant} et recommencez.',

  // What is wrong at a field.
  'wrong.product': 'Choisissez l’un d’eux.',
  'wrong.sum': 'Ce montant est trop élevé. Saisissez-en un plus petit.',
  'wrong.email': 'Saisissez une adresse e-mail, par exemple ada@example.com.',
  'wrong.name': 'Saisissez votre nom.',
  'wrong.method': 'Choisissez un moyen de paiement.',
  'wrong.card': 'Saisissez les données de votre carte.',
  'wrong.saved': 'Cette carte enregistrée ne peut plus être utilisée ici. Utilisez une autre carte ou payez autrement.',
  'wrong.number': 'Vérifiez le numéro de carte.',
  'wrong.expiry': 'Saisissez le mois et l’année indiqués sur la carte, par exemple 09/29.',
  'wrong.past': 'Cette date est passée. Vérifiez la date sur la carte.',
  'wrong.cvc': 'Saisissez les 3 ou 4 chiffres du code de sécurité.',
  'wrong.phone': 'Saisissez votre numéro mobile money.',
  'wrong.phone.country': 'Saisissez un numéro mobile money de ce pays : {country}.',
  'wrong.provider': 'Choisissez votre opérateur mobile money.',
  'wrong.asset': 'Choisissez un jeton.',
  'wrong.code': 'Saisissez le code. Il a au moins 4 chiffres.',
  'wrong.amount': 'Saisissez un montant, par exemple {example}.',
  'wrong.amount.point':
    'Saisissez le montant avec une virgule devant les centimes et rien d’autre, par exemple {example}.',
  'wrong.amount.figures': 'Saisissez le montant en chiffres seulement, par exemple {example}.',
  'wrong.amount.between': 'Saisissez un montant de {low} à {high}.',
  'wrong.amount.least': 'Saisissez {low} ou plus.',
  'wrong.amount.most': 'Saisissez au plus {high}.',
  'wrong.amount.unpaid': 'Ce montant ne peut pas être payé ici. Saisissez-en un autre.',

  // Why a payment failed.
  'failed.card_declined':
    'Votre banque a refusé la carte. Vous n’avez pas été débité. Utilisez une autre carte, ou contactez votre ' +
    'banque.',
  'failed.insufficient_funds':
    'Il n’y a pas assez d’argent sur la carte ou le compte. Vous n’avez pas été débité. Utilisez-en un autre, ou ' +
    'payez autrement.',
  'failed.expired_card': 'La carte a expiré. Vous n’avez pas été débité. Utilisez une autre carte.',
  'failed.authentication_failed':
    'Votre banque ou votre portefeuille n’a pas pu vérifier que c’est bien vous. Si vous avez saisi un code, il ' +
    'était peut-être faux. Vous n’avez pas été débité. Réessayez, ou payez autrement.',
  'failed.customer_timeout':
    'Le paiement n’a pas été confirmé à temps. Vous n’avez pas été débité. Réessayez quand vous serez prêt.',
  'failed.customer_rejected':
    'Vous avez refusé le paiement. Vous n’avez pas été débité. Réessayez, ou payez autrement.',
  'failed.invalid_account': 'Le compte n’est pas valide. Vous n’avez pas été débité. Vérifiez-le, ou payez autrement.',
  'failed.rail_unavailable':
    'Le réseau de paiement n’a pas accepté le paiement. Vous n’avez pas été débité. Réessayez, ou payez autrement.',
  'failed.other': 'Le paiement n’a pas abouti. Vous n’avez pas été débité. Réessayez, ou payez autrement.',

  // Why a form was refused.
  'problem.method': 'Ce moyen de paiement n’est pas proposé ici. Choisissez-en un autre.',
  'problem.seller': 'Le vendeur ne peut pas recevoir de paiements pour le moment. Vous n’avez pas été débité.',
  'problem.state': 'Ce n’est plus possible. Voici l’état actuel de votre paiement.',
  'problem.attempts':
    'Aucune autre tentative n’est possible sur cette page. Rien n’a été débité cette fois. Revenez chez le vendeur ' +
    'et recommencez.',
  'problem.sold': 'Quelqu’un d’autre a acheté le dernier, ou est en train de le payer. Vous n’avez pas été débité.',

  // A sale that repeats.
  'terms.title': 'Ce que vous acceptez',
  'terms.trial.days': '{days, plural, one {# jour gratuit} other {# jours gratuits}}',
  'terms.then': 'puis {price}',
  'terms.price':
    '{price} {rhythm}{fee, select, yes { plus les frais de paiement} other {}}{currency, select, none {} other {, ' +
    'en {currency} au taux du jour}}',
  'terms.price.open': 'Le prix de la formule que vous choisissez',
  'terms.free': '{price} : il n’y a rien à payer.',
  'terms.trial': '{trial}, puis {price}. Le premier débit a lieu le {next}.',
  'terms.trial.open': '{trial}, puis le prix de la formule que vous choisissez. Le premier débit a lieu le {next}.',
  'terms.now': '{price}. Le prochain débit a lieu le {next}.',
  'terms.now.open': 'Le prix de la formule que vous choisissez est débité à chaque période.',
  'terms.card': 'Votre carte est enregistrée, et {merchant} la débite à chaque période jusqu’à la résiliation.',
  'terms.invoice': 'Vous recevez une facture à payer à chaque période jusqu’à la résiliation.',
  'terms.either':
    'Si vous payez par carte : votre carte est enregistrée, et {merchant} la débite à chaque période jusqu’à la ' +
    'résiliation. Si vous payez autrement, vous recevez une facture à payer à chaque période jusqu’à la ' +
    'résiliation.',
  'terms.stop.write': 'Vous pouvez résilier à tout moment : écrivez à {email}.',
  'terms.stop.contact': 'Vous pouvez résilier à tout moment : contactez {merchant}.',
}
