/** The sandbox as a program of its own: `sandbox/README.md` says what it may be told. */
import type { Program, programs } from './program.ts'

export type Run = ReturnType<typeof programs>['run']

/** The address of its API. */
export async function startSandbox(run: Run): Promise<string> {
  const said = await startedSandbox(run, 'off', 'SMTP:')
  return `http://127.0.0.1:${/sandbox\.localhost:(\d+)/.exec(said)?.[1]}`
}

/** The address of its chain. */
export async function startChain(run: Run): Promise<string> {
  const said = await startedSandbox(run, '0', 'Chain:')
  return /Chain: (\S+)/.exec(said)?.[1] ?? ''
}

async function startedSandbox(run: Run, chainPort: '0' | 'off', lastWord: string): Promise<string> {
  const args = ['--http-port', '0', '--smtp-port', '0', '--chain-port', chainPort]
  const program: Program = run('sandbox/main.ts', args, {})
  await program.says(lastWord)
  return program.output()
}
