/** Starts the sandbox as a program for the tests of a file; see `sandbox/README.md`. */
import { programs } from './program.ts'

/** Returns the URL of its API. */
export const startSandbox = async (): Promise<string> => apiIn(await startedSandbox('off', 'SMTP:'))

/** Returns the URL of its chain. */
export const startChain = async (): Promise<string> => (await startSandboxWithChain()).chainUrl

/** Returns the URLs of its API and its chain. */
export async function startSandboxWithChain() {
  const said = await startedSandbox('0', 'Chain:')
  return { url: apiIn(said), chainUrl: /Chain: (\S+)/.exec(said)?.[1] ?? '' }
}

/** Returns the URL of a Solana node. It has a Kora service at `/kora`. */
export async function startSolana(): Promise<string> {
  const program = programs().run('sandbox/solana/main.ts', ['--port', '0'], {})
  await program.says('Solana:')
  return /Solana: (\S+)/.exec(program.output())?.[1] ?? ''
}

const apiIn = (said: string) => `http://127.0.0.1:${/sandbox\.localhost:(\d+)/.exec(said)?.[1]}`

async function startedSandbox(chainPort: '0' | 'off', lastWord: string): Promise<string> {
  const args = ['--http-port', '0', '--smtp-port', '0', '--chain-port', chainPort]
  const program = programs().run('sandbox/main.ts', args, {})
  await program.says(lastWord)
  return program.output()
}
