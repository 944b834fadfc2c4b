import type { enEnd } from './en-end.ts'

/** What buyers read where something has ended, is wrong, or is agreed to, in Portuguese (see `en.ts`). */
export const ptEnd: Record<keyof typeof enEnd, string> = {
  // The receipt.
  'paid.title': 'Pagamento concluído',
  'paid.trial': 'O seu período grátis começou',
  'paid.subscription': 'A sua assinatura começou',
  'paid.saved': 'O seu cartão está guardado',
  'paid.order': 'O seu pedido está concluído',
  'paid.trial.until': 'O seu período grátis com {merchant} vai até {next}. Nada foi cobrado agora.',
  'paid.subscribed': 'Assinou {merchant}. Nada foi cobrado agora.',
  'paid.saved.later':
    '{merchant} pode cobrar neste cartão mais tarde, conforme o vosso acordo. Nada foi cobrado agora.',
  'paid.received': '{merchant} recebeu o seu pagamento de <b>{amount}</b>.',
  'paid.free': '{merchant} recebeu o seu pedido. Não há nada a pagar.',
  'paid.pulled': 'O seu cartão é cobrado nessa altura, e em cada período até cancelar.',
  'paid.invoiced': 'Recebe antes uma fatura, que paga pelo seu link.',
  'paid.surplus':
    'Enviou <b>{surplus}</b> a mais do que o valor devido. {merchant} recebeu também o excesso. Para o reaver, ' +
    'contacte {merchant}.',
  receipt: 'Recibo',
  confirmation: 'Confirmação',
  'paid.to': 'Pago a',
  'saved.for': 'Guardado para',
  'ordered.from': 'Pedido a',
  questions: 'Perguntas',
  date: 'Data',
  'paid.with': 'Pago com',
  subscription: 'Assinatura',
  'next.charge': 'Próxima cobrança',
  'next.due': 'Próximo pagamento até',
  transaction: 'Transação',
  'paid.by': 'Pago por',
  cardholder: 'Titular do cartão',
  'ordered.by': 'Pedido por',
  reference: 'Referência',
  'you.sent': 'Você enviou',
  'test.receipt': 'Modo de teste: nenhum dinheiro foi movimentado.',
  'continue.to': 'Continuar para {merchant}',
  print: 'Imprimir ou guardar este recibo',
  returning: 'A voltar a {merchant} em {seconds} segundos.',
  stay: 'Ficar nesta página',

  // Expired or cancelled.
  'ended.cancelled': 'Este pagamento foi cancelado',
  'ended.invoice': 'Esta fatura já não pode ser paga',
  'ended.invoice.why': 'Já está paga, ou {merchant} já não pede o seu pagamento. Nada foi cobrado nesta página.',
  'ended.received': 'Recebemos <b>{received}</b> de si.',
  'ended.missing': 'Faltavam {missing}, por isso a venda não foi concluída.',
  'ended.refund.pending': 'Este valor está a ser-lhe devolvido. Pode ser descontada uma taxa.',
  'ended.refund.succeeded': 'Este valor foi-lhe devolvido. Pode ter sido descontada uma taxa.',
  'ended.accepted': '{merchant} aceitou este valor como pagamento. Não envie o resto.',
  'ended.ask': 'Pergunte a {merchant} o que acontece a seguir, e indique esta referência:',
  'ended.do.not.send': 'Não envie dinheiro agora. Se já enviou, avisaremos {merchant} quando chegar.',
  'ended.reference': 'A sua referência é',
  'ended.limited': 'Esteve aberta por tempo limitado.',
  'ended.setup.again': 'O seu cartão não foi guardado. Para guardar um, volte a {merchant} e comece de novo.',
  'ended.again': 'Nada lhe foi cobrado. Para pagar, volte a {merchant} e comece de novo.',

  // What is wrong at a field.
  'wrong.product': 'Escolha um destes.',
  'wrong.sum': 'Este valor é demasiado alto. Introduza um menor.',
  'wrong.email': 'Introduza um endereço de e-mail, por exemplo ada@example.com.',
  'wrong.name': 'Introduza o seu nome.',
  'wrong.method': 'Escolha uma forma de pagamento.',
  'wrong.card': 'Introduza os dados do seu cartão.',
  'wrong.saved': 'Este cartão guardado já não pode ser usado aqui. Use outro cartão ou pague de outra forma.',
  'wrong.number': 'Verifique o número do cartão.',
  'wrong.expiry': 'Introduza o mês e o ano que estão no cartão, por exemplo 09/29.',
  'wrong.past': 'Esta data já passou. Verifique a data no cartão.',
  'wrong.cvc': 'Introduza os 3 ou 4 algarismos do código de segurança.',
  'wrong.phone': 'Introduza o seu número de dinheiro móvel.',
  'wrong.phone.country': 'Introduza um número de dinheiro móvel deste país: {country}.',
  'wrong.provider': 'Escolha a sua operadora de dinheiro móvel.',
  'wrong.asset': 'Escolha uma moeda.',
  'wrong.code': 'Introduza o código. Tem pelo menos 4 algarismos.',
  'wrong.amount': 'Introduza um valor, por exemplo {example}.',
  'wrong.amount.point': 'Introduza o valor com uma vírgula antes dos cêntimos e mais nada, por exemplo {example}.',
  'wrong.amount.figures': 'Introduza o valor só em algarismos, por exemplo {example}.',
  'wrong.amount.between': 'Introduza um valor de {low} a {high}.',
  'wrong.amount.least': 'Introduza {low} ou mais.',
  'wrong.amount.most': 'Introduza no máximo {high}.',
  'wrong.amount.unpaid': 'Este valor não pode ser pago aqui. Introduza outro.',

  // Why a payment failed.
  'failed.card_declined':
    'O seu banco recusou o cartão. Nada lhe foi cobrado. Use outro cartão, ou contacte o seu banco.',
  'failed.insufficient_funds':
    'Não há dinheiro suficiente no cartão ou na conta. Nada lhe foi cobrado. Use outro, ou pague de outra forma.',
  'failed.expired_card': 'O cartão expirou. Nada lhe foi cobrado. Use outro cartão.',
  'failed.authentication_failed':
    'O seu banco ou a sua carteira não conseguiu confirmar que é você. Se introduziu um código, pode estar errado. ' +
    'Nada lhe foi cobrado. Tente de novo, ou pague de outra forma.',
  'failed.customer_timeout':
    'O pagamento não foi confirmado a tempo. Nada lhe foi cobrado. Tente de novo quando estiver pronto.',
  'failed.customer_rejected': 'Você recusou o pagamento. Nada lhe foi cobrado. Tente de novo, ou pague de outra forma.',
  'failed.invalid_account': 'A conta não é válida. Nada lhe foi cobrado. Verifique-a, ou pague de outra forma.',
  'failed.rail_unavailable':
    'A rede de pagamento não aceitou o pagamento. Nada lhe foi cobrado. Tente de novo, ou pague de outra forma.',
  'failed.other': 'O pagamento não foi feito. Nada lhe foi cobrado. Tente de novo, ou pague de outra forma.',

  // Why a form was refused.
  'problem.method': 'Esta forma de pagamento não está disponível aqui. Escolha outra.',
  'problem.seller': 'O vendedor não pode receber pagamentos neste momento. Nada lhe foi cobrado.',
  'problem.state': 'Isso já não é possível. Este é o estado atual do seu pagamento.',
  'problem.attempts':
    'Já não é possível tentar de novo nesta página. Desta vez nada foi cobrado. Volte ao vendedor e comece de novo.',
  'problem.sold': 'Outra pessoa comprou o último, ou está a pagá-lo agora. Nada lhe foi cobrado.',

  // A sale that repeats.
  'terms.title': 'O que aceita',
  'terms.trial.days': '{days, plural, one {# dia grátis} other {# dias grátis}}',
  'terms.then': 'depois {price}',
  'terms.price':
    '{price} {rhythm}{fee, select, yes { mais a taxa de pagamento} other {}}{currency, select, none {} other {, ' +
    'em {currency} ao câmbio desse dia}}',
  'terms.price.open': 'O preço do plano que escolher',
  'terms.free': '{price}: não há nada a pagar.',
  'terms.trial': '{trial}, depois {price}. A primeira cobrança é em {next}.',
  'terms.trial.open': '{trial}, depois o preço do plano que escolher. A primeira cobrança é em {next}.',
  'terms.now': '{price}. A próxima cobrança é em {next}.',
  'terms.now.open': 'O preço do plano que escolher é cobrado em cada período.',
  'terms.card': 'O seu cartão fica guardado, e {merchant} cobra nele em cada período até cancelar.',
  'terms.invoice': 'Recebe uma fatura para pagar em cada período até cancelar.',
  'terms.either':
    'Se pagar com cartão: o seu cartão fica guardado, e {merchant} cobra nele em cada período até cancelar. Se ' +
    'pagar de outra forma, recebe uma fatura para pagar em cada período até cancelar.',
  'terms.stop.write': 'Pode cancelar a qualquer momento: escreva para {email}.',
  'terms.stop.contact': 'Pode cancelar a qualquer momento: contacte {merchant}.',
}
