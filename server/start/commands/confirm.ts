/** Asks an operator to confirm an irreversible change. */
import { createInterface } from 'node:readline/promises'

export type Confirm = (question: string) => Promise<'yes' | 'no' | 'no terminal'>

/** Requires an interactive terminal, because piped input proves no intent. */
export const confirmAtTerminal: Confirm = async (question) => {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return 'no terminal'
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await terminal.question(`${question}\nType yes to go on: `)
    return answer.trim().toLowerCase() === 'yes' ? 'yes' : 'no'
  } finally {
    terminal.close()
  }
}
