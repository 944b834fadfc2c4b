import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { Failure } from './failure.ts'

/** Asks the user on the terminal. Without one it reads a line of stdin for each question, and prints nothing. */
export function createPrompter() {
  const { stdin, stderr } = process
  const isTerminal = stdin.isTTY === true
  let isHidden = false
  const echo = new Writable({
    write(chunk, _encoding, done) {
      if (!isHidden) stderr.write(chunk as Buffer)
      done()
    },
  })
  const lines = createInterface({
    input: stdin,
    ...(isTerminal && { output: echo }),
    terminal: isTerminal,
    historySize: 0,
  })
  const given = lines[Symbol.asyncIterator]()

  function ask(question: string): Promise<string> {
    if (!isTerminal) return given.next().then(({ value, done }) => (done ? stopped() : String(value)))
    return new Promise((resolve, reject) => {
      const end = () => reject(new Failure('CANCELLED', 'Canceled.'))
      lines.once('SIGINT', end).once('close', end)
      lines.question(question, (answer) => {
        lines.off('SIGINT', end).off('close', end)
        resolve(answer)
      })
    })
  }

  return {
    isTerminal,
    ask: async (question: string): Promise<string> => (await ask(question)).trim(),
    /** What is typed is not shown. */
    async askHidden(question: string): Promise<string> {
      if (!isTerminal) return ask(question)
      stderr.write(question)
      isHidden = true
      const answer = await ask('').finally(() => {
        isHidden = false
        stderr.write('\n')
      })
      return answer
    },
    close: () => lines.close(),
  }
}

function stopped(): never {
  throw new Failure('NO_INPUT', 'The input has ended before every question was answered.')
}
