/** The sandbox's OAuth providers and their fault switches. */
import { startSandbox } from '../../../testing/sandbox.ts'

export async function startProviders() {
  const url = await startSandbox()
  return {
    url,
    setFault: (oauth: string) =>
      fetch(`${url}/api/faults`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ oauth }),
      }),
    /** Returns the number of code exchanges at all providers. */
    exchanges: async (): Promise<number> => (await (await fetch(`${url}/api/oauth`)).json()).exchanges,
  }
}
export type Providers = Awaited<ReturnType<typeof startProviders>>
