import { MockActivityEnvironment } from '@temporalio/testing'
import { DefaultLogger, type Logger } from '@temporalio/worker'

/** The steps of a process for a test that calls them itself: each gets the context of an activity, for its log. */
export function inActivity<Steps extends object>(steps: Steps, logger: Logger = new DefaultLogger('ERROR')): Steps {
  const environment = new MockActivityEnvironment({}, { logger })
  return new Proxy(steps, {
    get(target, name, receiver) {
      const step: unknown = Reflect.get(target, name, receiver)
      if (typeof step !== 'function') return step
      return (...args: unknown[]) => environment.run(async () => step(...args))
    },
  })
}

/** A logger for `inActivity`, and the warnings that the steps have logged with it. */
export function keepWarnings(): { warned: string[]; logger: Logger } {
  const warned: string[] = []
  return { warned, logger: new DefaultLogger('WARN', ({ message }) => void warned.push(message)) }
}
