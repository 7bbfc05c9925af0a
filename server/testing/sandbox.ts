/** The sandbox as a program of its own: `sandbox/README.md` says what it may be told. */
import type { Program, programs } from './program.ts'

export type Run = ReturnType<typeof programs>['run']

/** The address of its API. */
export const startSandbox = async (run: Run): Promise<string> =>
  apiIn(await startedSandbox(run, 'off', 'SMTP:'))

/** The address of its chain. */
export const startChain = async (run: Run): Promise<string> => (await startSandboxWithChain(run)).chainUrl

/** The address of its API, and of its chain. */
export async function startSandboxWithChain(run: Run) {
  const said = await startedSandbox(run, '0', 'Chain:')
  return { url: apiIn(said), chainUrl: /Chain: (\S+)/.exec(said)?.[1] ?? '' }
}

const apiIn = (said: string) => `http://127.0.0.1:${/sandbox\.localhost:(\d+)/.exec(said)?.[1]}`

async function startedSandbox(run: Run, chainPort: '0' | 'off', lastWord: string): Promise<string> {
  const args = ['--http-port', '0', '--smtp-port', '0', '--chain-port', chainPort]
  const program: Program = run('sandbox/main.ts', args, {})
  await program.says(lastWord)
  return program.output()
}
