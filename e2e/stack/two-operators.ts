/** Two operators with a server each. Users of the first app use the wallets that they have in the second. */
import type { Fixtures } from '@playwright/test'
import { appId, type Stack, startStack } from './stack.ts'

/** Splits a printed command into words, like a shell. */
const splitWords = (line: string) =>
  [...line.matchAll(/'((?:[^']|'\\'')*)'|\S+/g)].map(([whole, quoted]) =>
    quoted === undefined ? whole : quoted.replaceAll(`'\\''`, "'"),
  )

/** Connects two operators: one runs the command that the other's command printed. */
export async function connectOperators(requester: Stack, provider: Stack, ...options: readonly string[]) {
  await provider.app(
    ...['set', provider.appId, 'cross_app_provider=true', `custom_api_url=${provider.apiOrigin}`],
    ...[`rpc_urls.31337=${JSON.stringify([provider.chainUrl])}`, 'test_networks=[31337]'],
  )
  const issuer = `${provider.apiOrigin}/apps/${provider.appId}/openid`
  const printed = await requester.app('providers', requester.appId, 'add', issuer, ...options)
  const command = printed.split('\n').find((line) => line.startsWith('latchkey app requesters'))
  if (command === undefined) throw new Error(`No command for the provider's operator:\n${printed}`)
  const [, , ...args] = splitWords(command)
  await provider.app(...args)
  return { issuer, method: `latchkey:${provider.appId}` } as const
}

/** The port offset from the worker's own stack. */
export const portsAfter = 37

export type OtherOperator = {
  wharf: Stack
  /** The provider's name among the login methods of a page. */
  method: string
}
/** A second operator per worker, connected to its stack. */
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
