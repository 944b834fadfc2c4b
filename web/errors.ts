import type Router from '@koa/router'
import { errorHelp } from '../domain/error-help.ts'
import { errorCodes } from '../domain/refusal.ts'
import type { Render } from './render.ts'

/** `/docs/errors`: what each error code means and what to do next. The `doc_url` of every error leads to its code. */
export function addErrorPage(router: Router, { render }: { render: Render }): void {
  const codes = Object.entries(errorHelp).map(([code, { means, next }]) => ({
    code,
    status: errorCodes[code as keyof typeof errorHelp],
    means: spansOf(means),
    next: spansOf(next),
  }))
  router.get('/docs/errors', (ctx) =>
    render(ctx, { template: 'errors', status: 200, title: 'Errors: steadypay', data: { codes } }),
  )
}

/** The spans of a sentence: every second one is code, as the words between backticks are. */
const spansOf = (sentence: string): { text: string; isCode: boolean }[] =>
  sentence.split('`').map((text, index) => ({ text, isCode: index % 2 === 1 }))
