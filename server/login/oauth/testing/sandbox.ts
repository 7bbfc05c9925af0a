/** The sandbox's providers, as a test turns their switches. */
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
    /** How often a code was brought to any of them. */
    exchanges: async (): Promise<number> => (await (await fetch(`${url}/api/oauth`)).json()).exchanges,
  }
}
export type Providers = Awaited<ReturnType<typeof startProviders>>
