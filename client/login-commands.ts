import { type Command, Option } from 'commander'
import { environments } from '../domain/access/scope.ts'
import { connect } from './api.ts'
import { findConnection, knownAddress } from './connection.ts'
import { logIn, type LoginOptions, logOut, showSelf } from './login.ts'
import { createOutput } from './output.ts'

/** Adds the commands `login`, `logout` and `whoami`. */
export function addLogin(program: Command): void {
  const globals = () => program.opts<{ json?: boolean; baseUrl?: string }>()
  const output = () => createOutput(globals().json ?? false)
  program
    .command('login')
    .description('log in, and let the other commands act as you')
    .option('--email <email>', 'your email (default: you are asked)')
    .option('--api-key', 'store an API key, which is read from stdin, in the place of a login')
    .addOption(new Option('--environment <name>', 'whose data you see').choices(environments).default('sandbox'))
    .action((options: LoginOptions) => logIn(knownAddress(globals()), output(), options))
  program
    .command('logout')
    .description('end the session and remove the stored credential')
    .action(() => logOut(output()))
  program
    .command('whoami')
    .description('show who the commands act as, and where')
    .action(() => {
      const connection = findConnection(globals())
      return showSelf(connect(connection), output(), connection)
    })
}
