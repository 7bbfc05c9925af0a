/**
 * A wallet that the page has connected. An extension's wallet is called in the page. A wallet behind a relay is
 * called through the dialog, whose card shows that it waits.
 */
import { parse } from '@latchkey/protocol/channel'
import { type HostCallInput, type HostWallet, siweAnswers } from '@latchkey/protocol/host'
import { connectedWallet } from '@latchkey/protocol/host-page'
import type { Page } from '../../client/page.ts'
import type { EthereumProvider, WalletConnection, WalletMeta } from '../../types/options.ts'
import type { ConnectedWallet } from '../../types/published.ts'
import { waitForDialog } from '../wait-for-dialog.ts'
import { createEmitter } from './emitter.ts'
import { ProviderError, toProviderError } from './error.ts'
import { readMethod, readParams } from './request.ts'

type Method = HostCallInput<'connectedWalletRequest'>['method']
const relayedMethods: readonly string[] = [
  'personal_sign',
  'eth_signTypedData_v4',
  'eth_sendTransaction',
  'wallet_switchEthereumChain',
] satisfies readonly Method[]

/**
 * Creates the connection. Its methods are not enumerable, so that it can be serialized and posted to another
 * window.
 */
export function createConnection(page: Page, wallet: ConnectedWallet): WalletConnection {
  const { events } = page
  const source = wallet.connectorType === 'injected' ? connectedWallet(wallet.address) : undefined
  const injected = source && (source.provider as EthereumProvider)
  const relayed = injected ? undefined : relayedProvider(page, wallet, onDisconnected)
  const provider = injected ?? relayed?.provider
  let isConnected = true

  function onDisconnected() {
    if (!isConnected) return
    isConnected = false
    relayed?.end()
    emit('walletDisconnected')
  }
  const emit = (name: 'walletConnected' | 'walletDisconnected') =>
    events.dispatchEvent(new CustomEvent(name, { detail: { wallet: connection } }))

  const connection = Object.defineProperties(
    { ...wallet },
    {
      provider: { value: provider },
      meta: { value: toWalletMeta(wallet, source?.wallet) },
      disconnect: {
        async value() {
          onDisconnected()
          if (!relayed) return
          const data = { address: wallet.address as `0x${string}` }
          await page.send('more', () => ({ call: 'disconnectWallet', data }))
        },
      },
    },
  ) as WalletConnection
  // The relay connection ends with its dialog.
  if (relayed) events.addEventListener('error', onDisconnected, { once: true })
  emit('walletConnected')
  return connection
}

/** Returns the wallet's display data. For a wallet behind a relay, only its type is known. */
function toWalletMeta(
  { walletClientType = 'wallet_connect' }: ConnectedWallet,
  own?: HostWallet,
): WalletMeta {
  if (!own) return { id: walletClientType, name: walletClientType }
  const { id, rdns = id, name, icon } = own
  return { id: rdns, name, ...(icon !== undefined && { icon }) }
}

function relayedProvider({ send, events }: Page, wallet: ConnectedWallet, onEnded: () => void) {
  const { listenerMethods, emit } = createEmitter()
  const { address } = wallet
  let chainId = Number(wallet.chainId?.split(':')[1] ?? 1)
  let isEnded = false
  const hex = () => `0x${chainId.toString(16)}` as const

  async function request(args: unknown): Promise<unknown> {
    try {
      const method = readMethod(args)
      const params = readParams(args)
      if (isEnded) throw new ProviderError(4900, 'This wallet was disconnected')
      switch (method) {
        case 'eth_accounts':
        case 'eth_requestAccounts':
          return [address]
        case 'eth_chainId':
          return hex()
        case 'net_version':
          return String(chainId)
      }
      if (!relayedMethods.includes(method)) {
        throw new ProviderError(-32_601, `The method "${method}" does not exist / is not available.`)
      }
      const data = { address, method, params: [...params] }
      const answer = await waitForDialog(events, { policy: 'needs-user' }, (signal) =>
        send('moreForUser', () => ({ call: 'connectedWalletRequest', data }), signal),
      )
      const { result } = parse(siweAnswers.connectedWalletRequest, answer, 'invalid_answer')
      if (method === 'wallet_switchEthereumChain') {
        chainId = Number(Object(params[0]).chainId)
        emit('chainChanged', hex())
      }
      return result
    } catch (error) {
      if (Object(error).code === 'channel_closed') onEnded()
      throw toProviderError(error)
    }
  }

  const provider: EthereumProvider = {
    request,
    enable: async () => [address as `0x${string}`],
    ...listenerMethods(() => provider),
  }
  return {
    provider,
    end() {
      isEnded = true
      emit('disconnect', new ProviderError(4900, 'This wallet was disconnected'))
    },
  }
}
