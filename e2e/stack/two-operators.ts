/** Two operators with a server each: users of the first app bring the wallets that they have in the second. */
import type { Fixtures } from '@playwright/test'
import { appId, type Stack, startStack } from './stack.ts'

/** A printed command, as a shell takes its words. */
const wordsOf = (line: string) =>
  [...line.matchAll(/'((?:[^']|'\\'')*)'|\S+/g)].map(([whole, quoted]) =>
    quoted === undefined ? whole : quoted.replaceAll(`'\\''`, "'"),
  )

/** Connects two operators as they do it: one runs the command that the other's command printed. */
export async function connectOperators(requester: Stack, provider: Stack, ...options: readonly string[]) {
  await provider.app(
    ...['set', provider.appId, 'cross_app_provider=true', `custom_api_url=${provider.apiOrigin}`],
    ...[`rpc_urls.31337=${JSON.stringify([provider.chainUrl])}`, 'test_networks=[31337]'],
  )
  const issuer = `${provider.apiOrigin}/apps/${provider.appId}/openid`
  const printed = await requester.app('providers', requester.appId, 'add', issuer, ...options)
  const command = printed.split('\n').find((line) => line.startsWith('npm run app -- requesters'))
  if (command === undefined) throw new Error(`No command for the provider's operator:\n${printed}`)
  const [, , , , ...args] = wordsOf(command)
  await provider.app(...args)
  return { issuer, method: `latchkey:${provider.appId}` } as const
}

/** The ports that follow those of the worker's own stack. */
export const portsAfter = 37

export type OtherOperator = {
  wharf: Stack
  /** How a page names its wallets among the ways to log in. */
  method: string
}
/** One for a worker, beside its own stack, and connected to it. */
export const otherOperator: Fixtures<object, OtherOperator, object, { stack: Stack }> = {
  wharf: [
    async ({ stack }, use) => {
      const wharf = await startStack(stack.serverPort + portsAfter, { beside: stack })
      await use(wharf)
      await wharf.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  method: [
    async ({ stack, wharf }, use) => {
      const { method } = await connectOperators(stack, wharf)
      await use(method)
      await stack.app('providers', appId, 'remove', wharf.appId)
    },
    { scope: 'worker', timeout: 60_000 },
  ],
}
