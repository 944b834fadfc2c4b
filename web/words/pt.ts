import type { en } from './en.ts'

/** What all pages for buyers say, in Portuguese (see `en.ts`). */
export const pt: Record<keyof typeof en, string> = {
  // All pages.
  'test.mode': '<b>Modo de teste:</b> nenhum dinheiro é movimentado.',
  'title.error': 'Erro: {title}',
  continue: 'Continuar',
  'missing.title': 'Esta página não existe',
  'missing.help': 'Verifique se o link está completo. Se continuar a não funcionar, peça um novo à loja.',
  'wait.title': 'Aguarde um momento',
  'wait.itself': 'Esta página tenta de novo sozinha.',
  'try.again': 'Tentar de novo',
  'ended.expired': 'Esta página expirou',
  'write.to': 'Perguntas? Escreva para',
  'page.enter': 'Um momento',
  'page.cookies': 'Se esta página aparece logo, o seu navegador bloqueia os cookies. Permita-os e abra o link de novo.',
  'page.unchanged': 'Nada foi alterado',
  'page.foreign': 'Este formulário não é desta página, ou entretanto abriu outra página. Comece de novo.',

  // Amounts and people.
  subtotal: 'Subtotal',
  total: 'Total',
  'button.pay': 'Pagar {amount}',
  'your.details': 'Os seus dados',
  name: 'Nome',
  country: 'País',
  address: 'Endereço',
  'phone.called': 'Número de telefone',

  // Why a form was refused.
  'problem.fields': 'Corrija o seguinte.',
  'problem.often': 'Demasiadas tentativas. Tente de novo dentro de {wait}.',
  'problem.ours': 'Algo correu mal do nosso lado. Tente de novo dentro de momentos.',
  'problem.once': 'Não será cobrado duas vezes.',
  'wait.minutes': '{count, plural, one {um minuto} other {# minutos}}',
  'wait.seconds': '{count, plural, one {um segundo} other {# segundos}}',

  // How often something is paid.
  'rhythm.day': '{count, plural, =1 {por dia} other {a cada # dias}}',
  'rhythm.week': '{count, plural, =1 {por semana} other {a cada # semanas}}',
  'rhythm.month': '{count, plural, =1 {por mês} other {a cada # meses}}',
  'rhythm.year': '{count, plural, =1 {por ano} other {a cada # anos}}',

  // The script of the pages.
  'script.copy': 'Copiar',
  'script.copy.what': 'Copiar: {what}',
  'script.copied': 'Copiado',
  'script.copied.what': '{what}: copiado',
  'script.left': 'faltam {clock}',
  'script.up': 'O tempo acabou',
  'script.minutes': '{count, plural, one {Falta # minuto} other {Faltam # minutos}}',
  'script.seconds': '{count, plural, one {Falta # segundo} other {Faltam # segundos}}',
  'script.unreachable':
    'Não foi possível contactar o servidor. Verifique a sua ligação e tente de novo. Não será cobrado duas vezes.',
  'script.prices': 'Os preços estão agora em {currency}',
  'script.file': 'Este ficheiro tem mais de 10 MB. Escolha um mais pequeno.',
}
