/** The sandbox's unreliable third party. */
import { startSandbox } from './sandbox.ts'

export type Behaviour = 'right' | 'late' | 'twice' | 'garbage' | 'failure' | 'never'
export type RequestLog = { asked: Readonly<Record<string, number>>; total: number }

export async function startUnreliableParty() {
  const url = await startSandbox()
  const control = `${url}/api/unreliable`
  return {
    url,
    async setBehaviour(answers: Behaviour) {
      const headers = { 'content-type': 'application/json' }
      await fetch(control, { method: 'POST', headers, body: JSON.stringify({ answers }) })
    },
    /** Returns the requests. With `moreThan`, waits until there are more. */
    async readRequests(moreThan?: number): Promise<RequestLog> {
      const query = moreThan === undefined ? '' : `?moreThan=${moreThan}`
      return (await fetch(control + query)).json() as Promise<RequestLog>
    },
    async reset() {
      await fetch(control, { method: 'DELETE' })
    },
  }
}
