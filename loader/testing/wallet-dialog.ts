/**
 * A fake dialog with one wallet user, for tests of its callers. It answers by the contract, as the test
 * decides.
 */
import { channelLimits, LatchkeyError, productKey } from '@latchkey/protocol'
import type { HostEvent } from '@latchkey/protocol/host'
import { type Client, createClient } from '../client/client.ts'
import { createHandle } from '../client/handle.ts'
import type { Connection, ConnectionOptions } from '../frame/connection.ts'

type CapabilityCall = {
  call?: string
  data?: { method?: string; params?: readonly unknown[] }
}
type Hex = `0x${string}`

export const accountOne = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
export const accountTwo = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const signature = `0x${'5a'.repeat(65)}`

export const userWith = (address: string) => ({
  id: `user of ${address}`,
  createdAt: 1,
  displayName: address,
  linkedAccounts: [
    { type: 'wallet', address, chainType: 'ethereum', connectorType: 'embedded', verifiedAt: 1 },
  ],
  mfaMethods: [],
  hasAcceptedTerms: true,
})

let lastApp = 0

/** `chains`: the chains of the app. The wallet starts on the first. */
export function walletDialog({ chains = [1, 10] }: { chains?: readonly number[] } = {}) {
  const appId = `app${String(++lastApp).padStart(22, '0')}`
  const asked: string[] = []
  const opened: ConnectionOptions[] = []
  const state = {
    account: undefined as Hex | undefined,
    chainId: chains[0] ?? 1,
    /** The outcome of the next prompt. */
    decision: 'approve' as 'approve' | 'refuse',
    /** The account that logs in at the next login prompt. */
    visitor: accountOne as Hex,
    answers: Promise.resolve() as Promise<unknown>,
    /** The number of prompts. */
    asked: 0,
  }
  const emit = (event: object) => opened.at(-1)?.onEvent(event as HostEvent)
  const logIn = (account: Hex = state.visitor) => {
    state.account = account
    emit({ type: 'login', user: userWith(account) })
  }
  const logOut = () => {
    state.account = undefined
    emit({ type: 'logout' })
    emit({ type: 'user', user: null })
  }
  const switchChain = (chainId: number) => {
    state.chainId = chainId
    emit({ type: 'more', name: 'chainChanged', data: { chainId } })
  }
  const refuse = (code: number, message: string) => ({ refused: { code, message } })
  const needsUser = (does: () => unknown) => {
    state.asked += 1
    if (state.decision === 'refuse') throw new LatchkeyError('user_rejected_request', 'The user rejected it')
    return { result: does() }
  }
  const methods: Readonly<Record<string, (params: readonly unknown[]) => object>> = {
    eth_accounts: () => ({ result: state.account ? [state.account] : [] }),
    eth_chainId: () => ({ result: `0x${state.chainId.toString(16)}` }),
    eth_requestAccounts: () =>
      needsUser(() => {
        if (!state.account) logIn()
        return [state.account]
      }),
    wallet_switchEthereumChain: ([to]) => {
      const chainId = Number(Object(to).chainId)
      if (!chains.includes(chainId)) return refuse(4901, `Unsupported chain: ${chainId}`)
      switchChain(chainId)
      return { result: null }
    },
    personal_sign: ([, address]) =>
      address === state.account
        ? needsUser(() => signature)
        : refuse(4100, 'The page may use no such account'),
    eth_signTypedData_v4: () => needsUser(() => signature),
    eth_getBalance: ([address]) =>
      /^0x[0-9a-fA-F]{40}$/.test(String(address)) ? { result: '0x0' } : refuse(-32_602, 'Not an address'),
    eth_sendTransaction: () => needsUser(() => `0x${'7e'.repeat(32)}`),
    eth_blockNumber: () => ({ result: '0x10' }),
  }
  function answer(name: string, { call, data }: CapabilityCall): unknown {
    if (name === 'logout') return logOut()
    if (name === 'user') return { user: state.account ? userWith(state.account) : null }
    if (call === 'ethereumState') {
      const own = { chainId: state.chainId, accounts: state.account ? [state.account] : [] }
      return Object(data).announce ? { ...own, announced: { name: 'Field notes' } } : own
    }
    return methods[data?.method ?? '']?.(data?.params ?? []) ?? refuse(-32_601, 'Unknown')
  }
  const client: Client = createClient({
    appId,
    dialogUrl: 'https://dialog.example',
    loadSecondFile: () => import('../lazy/second-file.ts'),
    open(options) {
      opened.push(options)
      let isAlive = true
      return {
        async call(name, data) {
          const given = (await data()) as CapabilityCall
          asked.push(given.data?.method ?? given.call ?? name)
          await state.answers
          return answer(name, given) as never
        },
        async configure() {},
        isAlive: () => isAlive,
        lose(error) {
          isAlive = false
          options.onLost(error)
        },
      } satisfies Connection
    },
  })
  return {
    appId,
    client,
    asked,
    state,
    logIn,
    logOut,
    moveTo: switchChain,
    tell: emit,
    makeHandle: () => createHandle(appId, { client, release() {} }),
    /** Registers the client like a page with several copies of the loader. */
    putOnPage() {
      const symbol = Symbol.for(`${productKey}.clients.${channelLimits.protocolVersion}`)
      const clients: Map<string, unknown> = Reflect.get(globalThis, symbol) ?? new Map()
      clients.set(appId, { client, handles: 1 })
      Reflect.set(globalThis, symbol, clients)
    },
  }
}
export type WalletDialog = ReturnType<typeof walletDialog>
