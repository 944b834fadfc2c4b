import type { en } from './en.ts'

/** What all pages for buyers say, in French (see `en.ts`). */
export const fr: Record<keyof typeof en, string> = {
  // All pages.
  'test.mode': '<b>Mode test :</b> aucun argent ne circule.',
  'title.error': 'Erreur : {title}',
  continue: 'Continuer',
  'missing.title': 'Cette page n’existe pas',
  'missing.help':
    'Vérifiez que le lien est complet. S’il ne marche toujours pas, demandez-en un nouveau à la boutique.',
  'wait.title': 'Patientez un instant',
  'wait.itself': 'Cette page réessaie toute seule.',
  'try.again': 'Réessayer',
  'ended.expired': 'Cette page a expiré',
  'write.to': 'Des questions ? Écrivez à',
  'page.enter': 'Un instant',
  'page.cookies':
    'Si cette page s’affiche aussitôt, votre navigateur bloque les cookies. Autorisez-les, puis rouvrez le lien.',
  'page.unchanged': 'Rien n’a été modifié',
  'page.foreign': 'Ce formulaire ne vient pas de cette page, ou vous avez ouvert une autre page depuis. Recommencez.',

  // Amounts and people.
  subtotal: 'Sous-total',
  total: 'Total',
  'button.pay': 'Payer {amount}',
  'your.details': 'Vos coordonnées',
  name: 'Nom',
  country: 'Pays',
  address: 'Adresse',
  'phone.called': 'Numéro de téléphone',

  // Why a form was refused.
  'problem.fields': 'Corrigez ce qui suit.',
  'problem.often': 'Trop de tentatives. Réessayez dans {wait}.',
  'problem.ours': 'Un problème est survenu de notre côté. Réessayez dans un instant.',
  'problem.once': 'Vous ne serez pas débité deux fois.',
  'wait.minutes': '{count, plural, one {une minute} other {# minutes}}',
  'wait.seconds': '{count, plural, one {une seconde} other {# secondes}}',

  // How often something is paid.
  'rhythm.day': '{count, plural, =1 {par jour} other {tous les # jours}}',
  'rhythm.week': '{count, plural, =1 {par semaine} other {toutes les # semaines}}',
  'rhythm.month': '{count, plural, =1 {par mois} other {tous les # mois}}',
  'rhythm.year': '{count, plural, =1 {par an} other {tous les # ans}}',

  // The script of the pages.
  'script.copy': 'Copier',
  'script.copy.what': 'Copier : {what}',
  'script.copied': 'Copié',
  'script.copied.what': '{what} : copié',
  'script.left': 'encore {clock}',
  'script.up': 'Le temps est écoulé',
  'script.minutes': 'Encore {count, plural, one {# minute} other {# minutes}}',
  'script.seconds': 'Encore {count, plural, one {# seconde} other {# secondes}}',
  'script.unreachable':
    'Le serveur n’a pas pu être joint. Vérifiez votre connexion et réessayez. Vous ne serez pas débité deux fois.',
  'script.prices': 'Les prix sont maintenant en {currency}',
  'script.file': 'Ce fichier dépasse 10 Mo. Choisissez-en un plus petit.',
}
