import type { en } from './en.ts'

/** What mails to customers say, in Portuguese (see `en.ts`). */
export const pt: Record<keyof typeof en, string> = {
  hello: 'Olá {name},',
  'hello.all': 'Olá,',
  questions: 'Perguntas? Escreva para {email}.',
  'pay.now': 'Pagar agora',
  'see.invoice': 'Ver a fatura',

  'trial.subject': 'O seu período grátis com {merchant} termina em {day}',
  'trial.ends': 'O seu período grátis de {plan} termina em {day}.',
  'trial.nothing': 'Nada será cobrado, porque a assinatura termina com ele.',
  'trial.paused': 'Nada será cobrado nessa altura, porque a assinatura fica em pausa.',
  'trial.then': 'Depois são cobrados {amount} {rhythm}, a não ser que cancele antes.',
  'trial.charge':
    '{amount}{fee, select, yes { mais a taxa de pagamento} other {}}' +
    '{currency, select, none {} other { (em {currency} ao câmbio desse dia)}}',

  'failed.subject': 'O seu pagamento a {merchant} falhou',
  'failed.what': 'Não foi possível cobrar {amount} por {plan}.',
  'failed.over': 'Não vamos tentar de novo, e a assinatura terminou.',
  'failed.again': 'Vamos tentar de novo em {day}. Também pode pagar agora.',
  'failed.until': 'Já não é possível cobrar no seu cartão. Pague até {day}, senão a assinatura termina.',
  'failed.pay': 'Pague agora, por favor.',

  'unpaid.subject': 'A sua fatura de {merchant} ainda não foi paga',
  'unpaid.what': 'A sua fatura {number} de {plan} é de {amount} e ainda não foi paga.',
  'unpaid.over': 'A assinatura terminou.',
  'unpaid.again': 'Pague agora, por favor. Vamos enviar um lembrete em {day}.',
  'unpaid.until': 'Pague até {day}, senão a assinatura termina.',

  'receipt.subject': 'O seu recibo de {merchant}',
  'receipt.thanks': 'Obrigado pelo seu pagamento de {amount} por {plan}.',
  'receipt.invoice': 'É a fatura {number}, do período de {start} a {end}.',

  'invoice.subject': 'A sua fatura de {merchant}',
  'invoice.what': 'A sua fatura {number} de {plan} é de {amount}.',
  'invoice.by': 'Pague-a até {day}, por favor.',

  'canceled.subject': 'A sua assinatura com {merchant} terminou',
  'canceled.what': 'A sua assinatura de {plan} terminou em {day}.',
  'canceled.unpaid': 'Terminou porque não pôde ser paga. Nada mais será cobrado.',
  'canceled.nothing': 'Nada mais será cobrado.',

  'rhythm.day': '{count, plural, =1 {por dia} other {a cada # dias}}',
  'rhythm.week': '{count, plural, =1 {por semana} other {a cada # semanas}}',
  'rhythm.month': '{count, plural, =1 {por mês} other {a cada # meses}}',
  'rhythm.year': '{count, plural, =1 {por ano} other {a cada # anos}}',
}
