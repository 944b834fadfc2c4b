import { Argument, type Command } from 'commander'
import { completionScript, type Shell, shells } from './completion.ts'
import { createOutput } from './output.ts'

/** Adds the command `completion`. Its script knows the commands that the program has when it runs. */
export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('print the script that completes commands in your shell')
    .addArgument(new Argument('<shell>', 'your shell').choices(shells))
    .action((shell: Shell) => {
      const { json = false } = program.opts<{ json?: boolean }>()
      const script = completionScript(program, shell)
      createOutput(json).show({ shell, script }, () => [script.trimEnd()])
    })
}
