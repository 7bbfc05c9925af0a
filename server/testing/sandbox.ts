/** The sandbox as a program of its own: `sandbox/README.md` says what it may be told. */
import type { Program, programs } from './program.ts'

export type Run = ReturnType<typeof programs>['run']

/** The address of its API. */
export async function startSandbox(run: Run): Promise<string> {
  const args = ['--http-port', '0', '--smtp-port', '0', '--chain-port', 'off']
  const program: Program = run('sandbox/main.ts', args, {})
  await program.says('SMTP:')
  const port = /sandbox\.localhost:(\d+)/.exec(program.output())?.[1]
  return `http://127.0.0.1:${port}`
}
