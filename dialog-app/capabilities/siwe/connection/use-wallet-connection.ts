/** Connects the chosen wallet, switches its chain, and uses it. After a failure the user can try again. */
import { LatchkeyError, toLatchkeyError } from '@latchkey/protocol'
import { useLayoutEffect, useRef, useState } from 'react'
import { useDialog } from '../../../app/context.ts'
import { openOnCard, pushOnCard } from '../../../app/screen-stack.ts'
import type { Loadable } from '../../../browser/loadable.ts'
import { toAbortError } from '../../../browser/waiting.ts'
import type { Settings } from '../../../host/settings.ts'
import { failedScreen, installScreen } from '../screens.ts'
import { type ConnectedWallet, type Connector, isSameAddress } from '../sources/connector.ts'
import type { OfferedWallet } from '../sources/offered-wallets.ts'
import type { WalletSources } from '../sources/sources.ts'
import {
  type ConnectionEvent,
  type ConnectionStep,
  connectionReducer,
  firstConnection,
  isGivenUp,
} from './connection-state.ts'

/** A wallet that is connected, on the right chain. */
export type Connected = {
  wallet: OfferedWallet
  connector: Connector
  account: ConnectedWallet
  /** An earlier attempt failed. */
  isRetry: boolean
  show: (step: ConnectionStep) => void
  /** Returns whether the user still waits for this wallet. */
  isPresent: () => boolean
  signal: AbortSignal
}

export type ConnectionOptions = {
  /** The address of the only accepted account. */
  wanted?: string | undefined
  /** The only accepted chain. The default is a supported chain of the host, if the wallet has one. */
  chainId?: number
  /** An error is a failure of the wallet. */
  use: (connected: Connected) => Promise<void>
  onFailed: (error: LatchkeyError) => void
  startOver: () => void
  leave: () => void
}

export type ConnectionProps = ConnectionOptions & {
  wallet: OfferedWallet
  connector: Loadable<Connector>
  sources: WalletSources
  /** Aborted when the user chooses another wallet. */
  signal: AbortSignal
}

export function useWalletConnection({
  wallet,
  connector,
  sources,
  signal: chosen,
  wanted,
  chainId,
  use,
  onFailed,
  startOver,
  leave,
}: ConnectionProps) {
  const { services, handle, isInFront } = useDialog()
  const [{ step, appLink }, setState] = useState(firstConnection)
  // Responses arrive between renders, and their meaning depends on the latest state.
  const latest = useRef(firstConnection)

  /** Returns whether the event changed the state. */
  function send(event: ConnectionEvent): boolean {
    const next = connectionReducer(latest.current, event)
    if (next === latest.current) return false
    latest.current = next
    setState(next)
    return true
  }

  async function connect(): Promise<void> {
    const { attempt, failures } = latest.current
    const signal = AbortSignal.any([chosen, handle.signal])
    const isPresent = () => !signal.aborted && isInFront()
    /** Rejects if the user left meanwhile. */
    async function whilePresent<T>(answer: Promise<T>): Promise<T> {
      const value = await answer
      if (!isPresent()) throw toAbortError(signal)
      return value
    }
    try {
      const loadedConnector = await whilePresent(connector.load())
      const account = await whilePresent(
        loadedConnector.connect({
          signal,
          wanted,
          onUri(uri) {
            if (isPresent()) send({ type: 'meeting', attempt, meeting: sources.meetingAt(uri, wallet) })
          },
        }),
      )
      const { address } = account
      const appLink = sources.appOf(wallet, account)
      if (wanted !== undefined && !isSameAddress(address, wanted)) {
        send({ type: 'other account', attempt, address, wanted, appLink })
        loadedConnector.disconnect?.().catch(() => {})
        onFailed(new LatchkeyError('generic_connect_wallet_error', 'The wallet brought another address'))
        return
      }
      send({ type: 'connected', attempt, appLink })
      const target =
        chainId === undefined
          ? findHostChain(services.settings(), account, loadedConnector)
          : requireChain(chainId, account, loadedConnector)
      if (target) send({ type: 'shown', attempt, step: { status: 'switching' } })
      const isSwitched = target && (await whilePresent(switchChain(loadedConnector, target, signal)))
      await use({
        wallet,
        connector: loadedConnector,
        account: isSwitched ? { ...account, chainId: target.chainId } : account,
        isRetry: failures > 0,
        show: (next) => void send({ type: 'shown', attempt, step: next }),
        isPresent,
        signal,
      })
    } catch (cause) {
      if (!isPresent()) return
      const error = toLatchkeyError(cause, 'unknown_connect_wallet_error', 'The wallet failed')
      send({ type: 'failed', attempt, error })
      onFailed(error)
      if (isGivenUp(latest.current)) {
        openOnCard(services, handle, failedScreen, {}).then(
          (choice) => (choice === 'start over' ? startOver() : leave()),
          () => {},
        )
      }
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the first attempt starts with the screen.
  useLayoutEffect(() => void connect(), [])

  return {
    step,
    appLink,
    retry() {
      if (send({ type: 'retry' })) void connect()
    },
    chooseOther() {
      if (isInFront()) handle.back()
    },
    install() {
      const { way } = wallet
      if (way.type !== 'relay' || !way.wallet || !isInFront()) return
      void pushOnCard(services, handle, installScreen, { wallet: way.wallet })
    },
  }
}

type TargetChain = { chainId: number; isRequired: boolean }

/** Throws if the wallet is on another chain and cannot switch. */
function requireChain(
  chainId: number,
  account: ConnectedWallet,
  connector: Connector,
): TargetChain | undefined {
  if (account.chainId === chainId) return undefined
  if (!connector.switchChain)
    throw new LatchkeyError('unsupported_chain_id', 'The wallet is on another chain')
  return { chainId, isRequired: true }
}

/**
 * Returns the chain of the host to switch to, if any. The switch may fail, because a signature is valid on any chain,
 * and the wallet itself refuses transactions on chains that it does not know.
 */
function findHostChain(
  { config: { supportedChains, defaultChain } }: Settings,
  account: ConnectedWallet,
  connector: Connector,
): TargetChain | undefined {
  const supported = supportedChains ?? (defaultChain === undefined ? [] : [defaultChain])
  const chainId = supported.find((each) => each === defaultChain) ?? supported[0]
  if (chainId === undefined || supported.includes(account.chainId) || !connector.switchChain) return undefined
  return { chainId, isRequired: false }
}

/** Returns whether the wallet has switched. Rejects if its user refused, or if the chain is required. */
async function switchChain(
  connector: Connector,
  { chainId, isRequired }: TargetChain,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await connector.switchChain?.(chainId, { signal })
    return true
  } catch (error) {
    const isRefused = error instanceof LatchkeyError && error.code === 'user_rejected_request'
    if (isRequired || isRefused) throw error
    return false
  }
}
