/** The sandbox's unreliable third party, as a program of its own: `sandbox/README.md` says what it may be told. */
import type { Program, programs } from './program.ts'

export type Manner = 'right' | 'late' | 'twice' | 'garbage' | 'failure' | 'never'
export type Asked = { readonly asked: Readonly<Record<string, number>>; readonly total: number }

export async function startStranger(run: ReturnType<typeof programs>['run']) {
  const args = ['--http-port', '0', '--smtp-port', '0', '--chain-port', 'off']
  const program: Program = run('sandbox/main.ts', args, {})
  await program.says('SMTP:')
  const port = /sandbox\.localhost:(\d+)/.exec(program.output())?.[1]
  const url = `http://127.0.0.1:${port}`
  const control = `${url}/api/unreliable`
  return {
    url,
    async behave(answers: Manner) {
      const headers = { 'content-type': 'application/json' }
      await fetch(control, { method: 'POST', headers, body: JSON.stringify({ answers }) })
    },
    /** Waits until it was asked more often than that. */
    async asked(moreThan?: number): Promise<Asked> {
      const query = moreThan === undefined ? '' : `?moreThan=${moreThan}`
      return (await fetch(control + query)).json() as Promise<Asked>
    },
    async reset() {
      await fetch(control, { method: 'DELETE' })
    },
  }
}
export type Stranger = Awaited<ReturnType<typeof startStranger>>
