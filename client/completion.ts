import { type Argument, type Command, Option } from 'commander'
import { eventTypes } from '../domain/webhook/event.ts'
import { readEventType, readEventTypes } from './event-type.ts'

/** The shells that a script can be made for. */
export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

/** A word that may come next, and what it means. */
type Word = { text: string; meaning: string }
/** A command by its path, such as ` events list` (empty: none is typed yet), with all that may follow. */
type Place = { path: string; commands: Word[]; options: Optioned[]; values: Word[] }
type Optioned = Word & { takesValue: boolean; values: Word[] }

/** The script that completes the commands of `program` in a shell, made from what the commands declare. */
export function completionScript(program: Command, shell: Shell): string {
  const everywhere = program.options.filter(({ long }) => long !== '--version')
  const places = placesOf(program, '', everywhere)
  if (shell === 'fish') return fishScript(program.name(), places)
  const start = shell === 'zsh' ? 'autoload -U +X compinit bashcompinit && compinit && bashcompinit\n' : ''
  return start + bashScript(program.name(), places)
}

function placesOf(command: Command, path: string, globals: Option[]): Place[] {
  const options = [...new Set([...command.options, ...globals, new Option('--help', 'show what is possible')])]
  const place = {
    path,
    commands: command.commands.map((each) => ({ text: each.name(), meaning: each.description() })),
    options: options.filter(({ hidden }) => !hidden).map(optionOf),
    values: command.registeredArguments.flatMap(valuesOf),
  }
  return [place, ...command.commands.flatMap((each) => placesOf(each, `${path} ${each.name()}`, globals))]
}

const optionOf = (option: Option): Optioned => ({
  text: option.long ?? option.short ?? '',
  meaning: option.description,
  takesValue: option.required || option.optional,
  values: valuesOf(option),
})

/** The values that an option or an argument takes, as far as they are a list. */
function valuesOf({ argChoices, parseArg }: Option | Argument): Word[] {
  const takesTypes = [readEventType, readEventTypes].some((read) => (read as unknown) === parseArg)
  return (takesTypes ? eventTypes : (argChoices ?? [])).map((text) => ({ text, meaning: '' }))
}

const wordsOf = (words: readonly Word[]): string => words.map(({ text }) => text).join(' ')

/** Without a match the shell completes file names. */
function bashScript(name: string, places: readonly Place[]): string {
  const known = places.filter(({ path }) => path !== '').map(({ path }) => `'${path}'`)
  const afterOption = places.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map(({ text, values }) => `    '${path} ${text}') words='${wordsOf(values)}' ;;`),
  )
  const next = places.map(({ path, commands, options, values }) => {
    return `      '${path}') words='${wordsOf([...commands, ...values])}' options='${wordsOf(options)}' ;;`
  })
  return `# Completes ${name} in bash, and in zsh by its bashcompinit.
_${name}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" path='' words='' options='' index
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "$path \${COMP_WORDS[index]}" in
      ${known.join(' | ')}) path="$path \${COMP_WORDS[index]}" ;;
    esac
  done
  case "$path $previous" in
${afterOption.join('\n')}
    *)
      case "$path" in
${next.map((line) => `  ${line}`).join('\n')}
      esac
      [[ "$current" == -* ]] && words="$options" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _${name} ${name}
`
}

function fishScript(name: string, places: readonly Place[]): string {
  const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  const paths = places.map(({ path }) => quoted(path)).join(' ')
  const lines = places.flatMap(({ path, commands, options, values }) => {
    const at = `complete -c ${name} -n ${quoted(`__${name}_at ${quoted(path)}`)}`
    const described = (meaning: string) => (meaning === '' ? '' : ` -d ${quoted(meaning)}`)
    return [
      ...[...commands, ...values].map(({ text, meaning }) => `${at} -f -a ${quoted(text)}${described(meaning)}`),
      ...options.map(({ text, meaning, takesValue, values: taken }) => {
        const list = taken.length > 0 ? ` -f -a ${quoted(wordsOf(taken))}` : ''
        return `${at} -l ${text.replace(/^-+/, '')}${takesValue ? ` -r${list}` : ''}${described(meaning)}`
      }),
    ]
  })
  return `# Completes ${name} in fish.
function __${name}_at
  set -l path ''
  for word in (commandline -opc)[2..]
    if contains -- "$path $word" ${paths}
      set path "$path $word"
    end
  end
  test "$path" = "$argv[1]"
end
${lines.join('\n')}
`
}
