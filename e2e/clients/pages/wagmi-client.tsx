/** A page with either version of wagmi. It renders wagmi's state from its hooks. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { defineChain, type Hex } from 'viem'
import { anvil } from 'viem/chains'
import type * as wagmiHere from 'wagmi'
import type * as actionsHere from 'wagmi/actions'
import { chainUrl, offer, received, type TypedData } from './client.ts'

type Library = Pick<typeof wagmiHere, 'createConfig' | 'http' | 'useAccount' | 'WagmiProvider'> &
  typeof actionsHere
type Config = ReturnType<typeof wagmiHere.createConfig>

export const second = defineChain({ ...anvil, id: 31_338, name: 'Second' })
/** A chain that the app does not have. */
export const foreign = defineChain({ ...anvil, id: 10, name: 'Foreign' })

export function createWagmiConfig({ createConfig, http }: Pick<Library, 'createConfig' | 'http'>): Config {
  const transport = http(chainUrl)
  return createConfig({
    chains: [anvil, second, foreign],
    transports: { [anvil.id]: transport, [second.id]: transport, [foreign.id]: transport },
  }) as Config
}

export function offerWagmi(wagmi: Library, config: Config, more = {}, ours = 'app.latchkey') {
  const { watchAccount } = wagmi
  watchAccount(config, {
    onChange(account, before) {
      if (account.address !== before.address) received('account')(account.address ?? null)
      if (account.chainId !== before.chainId) received('chain')(account.chainId ?? null)
    },
  })
  /** Waits for the connector of a provider. On a first visit it exists once the dialog has announced it. */
  const findConnector = (wanted = ours) =>
    new Promise<ReturnType<typeof wagmi.getConnectors>[number]>((resolve) => {
      const check = () => {
        const connector = wagmi.getConnectors(config).find(({ id }) => id === wanted)
        if (connector) resolve(connector)
        else setTimeout(check, 50)
      }
      check()
    })
  offer({
    /** Connects to our provider or to a cross-app wallet. */
    async connect(id?: string) {
      const connector = await findConnector(id)
      return (await wagmi.connect(config, { connector })).accounts[0]
    },
    disconnect: () => wagmi.disconnect(config),
    connectors: () => wagmi.getConnectors(config).map(({ id }) => id),
    reconnectedAfter: async () => {
      const startMs = performance.now()
      await wagmi.reconnect(config)
      return performance.now() - startMs
    },
    account: () => wagmi.getAccount(config).address,
    chainId: () => wagmi.getAccount(config).chainId,
    signMessage: (message: string) => wagmi.signMessage(config, { message }),
    signTypedData: (data: TypedData) => wagmi.signTypedData(config, data as never),
    async send(to: string, wei: string) {
      const hash = await wagmi.sendTransaction(config, { to: to as Hex, value: BigInt(wei) })
      const { status } = await wagmi.waitForTransactionReceipt(config, { hash })
      return { hash, succeeded: status === 'success' }
    },
    switchChain: (chainId: number) => wagmi.switchChain(config, { chainId }),
    ...more,
  })
}

export function show(wagmi: Library, config: Config, children: (content: ReactNode) => ReactNode) {
  const { WagmiProvider, useAccount } = wagmi
  // biome-ignore lint/correctness/noComponentHookFactories: the page is drawn once, by the version that is given
  function Account() {
    const { status, address } = useAccount()
    return (
      <p>
        <output data-testid="wagmi-status">{status}</output>{' '}
        <output data-testid="wagmi-account">{address}</output>
      </p>
    )
  }
  const root = document.createElement('div')
  document.body.append(root)
  createRoot(root).render(
    <WagmiProvider config={config}>
      <QueryClientProvider client={new QueryClient()}>{children(<Account />)}</QueryClientProvider>
    </WagmiProvider>,
  )
}
