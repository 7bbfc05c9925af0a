/**
 * A connection lasts from the choice of a wallet to the use that is made of it: connected, on a chain that the host
 * wants, and tried again where that failed. One wallet at a time. `connection-state.ts` decides what comes next; this
 * does it.
 */
import { LatchkeyError, toLatchkeyError } from '@latchkey/protocol'
import { loadable } from '../../../browser/loadable.ts'
import type { CapabilityPorts } from '../../../contract/capability.ts'
import type { CardHandle } from '../../../flow/flow.ts'
import { createMachine } from '../../../flow/machine.ts'
import { type ScreenRecord, screen } from '../../../flow/screen.ts'
import type { Settings } from '../../../host/settings.ts'
import type { AwaitingEvents, AwaitingState, Step } from '../screens/awaiting-screen.tsx'
import { failedScreen, installScreen, phoneScreen } from '../screens.ts'
import { type ConnectedWallet, type Connector, isSameAddress } from '../sources/connector.ts'
import type { OfferedWallet } from '../sources/offered-wallets.ts'
import type { WalletSources } from '../sources/sources.ts'
import {
  type Attempt,
  type ConnectionEffect,
  type ConnectionEvent,
  type ConnectionPhase,
  type ConnectionState,
  connectionStep,
  type Move,
  shownStep,
  unconnected,
} from './connection-state.ts'

/** With it come checksums of addresses, which few have loaded before they have chosen a wallet. */
export const messageCode = loadable(() => import('../lazy/sign-in-message.ts'))

type Effect<Type extends ConnectionEffect['type']> = Extract<ConnectionEffect, { type: Type }>

/** A wallet that is there, for whoever makes use of it. */
export type Connected = {
  wallet: OfferedWallet
  connector: Connector
  account: ConnectedWallet
  isRetry: boolean
  show: (step: Step) => void
  /** Whether its user waits for this connection still. */
  isPresent: () => boolean
  signal: AbortSignal
}

export type ConnectionUse = {
  card: CardHandle
  record: ScreenRecord<string, AwaitingState, AwaitingEvents>
  /** The address of the account that is to be connected; any where there is none. */
  wanted?: string | undefined
  /** The chain that the wallet has to be on; one that the host is for, and else any, where there is none. */
  chainId?: number
  chosen: () => void
  /** What it throws is a failure of the wallet. */
  use: (connected: Connected) => Promise<void>
  /** True where the user of the connection says the error in its own way. */
  tells: (error: LatchkeyError) => boolean
  failed: (error: LatchkeyError) => void
  startOver: () => void
  leave: () => void
}

export type Connection = { choose: (wallet: OfferedWallet) => void }

export function createConnection(
  { settings }: Pick<CapabilityPorts, 'settings'>,
  sources: WalletSources,
  { card, record, wanted, chainId, chosen, use, tells, failed, startOver, leave: leaveCard }: ConnectionUse,
): Connection {
  const machine = createMachine<ConnectionState, ConnectionEvent, ConnectionEffect>({
    initial: unconnected,
    step: connectionStep,
    draw({ phase }) {
      const view = viewOf(phase)
      if (view && card.isAt(record)) card.update(view)
    },
    signal: card.signal,
    crashed: (error) => failed(toLatchkeyError(error, 'unknown_connect_wallet_error', 'The wallet failed')),
    effects: {
      abandon({ attempt, connector }) {
        attempt.abort()
        leave(connector)
      },
      'tell choice': chosen,
      show() {
        const view = viewOf(machine.state().phase)
        if (view) card.go(view)
      },
      'show guide': ({ wallet }) => card.go(screen(installScreen, { wallet }, {})),
      'show phone'({ wallet, named }) {
        const open = named.openPage?.(sources.pageToReturnTo(wallet.key))
        const store = sources.phone === 'ios' ? named.ios : named.android
        card.go(screen(phoneScreen, { wallet, open, store }, {}))
      },
      'show end': () => card.go(screen(failedScreen, {}, { retry: startOver, leave: leaveCard })),
      open: ({ attempt, wallet }) =>
        attempting(attempt, async () => ({
          type: 'opened',
          attempt,
          connector: await sources.open(wallet),
        })),
      connect: (effect) => attempting(effect.attempt, (signal) => connect(effect, signal)),
      refuse({ connector }) {
        connector?.disconnect?.().catch(() => {})
        failed(new LatchkeyError('generic_connect_wallet_error', 'The wallet brought another address'))
      },
      switch: (effect) => attempting(effect.attempt, (signal) => switchChain(effect, signal)),
      use: ({ attempt, ...connected }) =>
        attempting(attempt, async (signal) => {
          await use({
            ...connected,
            show: (step) => machine.send({ type: 'shown', attempt, step }),
            isPresent: () => isPresent(attempt),
            signal,
          })
          return undefined
        }),
      'tell failure': ({ error }) => failed(error),
    },
  })

  card.signal.addEventListener('abort', () => {
    const { phase } = machine.state()
    if (phase.at !== 'unchosen') leave(phase.connector)
  })

  /** A connection that the page goes on using outlasts the card. */
  function leave(connector: Connector | undefined) {
    if (connector && !sources.held.has(connector)) connector.disconnect?.().catch(() => {})
  }

  function viewOf(phase: ConnectionPhase) {
    const step = shownStep(phase)
    if (!step || phase.at === 'unchosen') return undefined
    const { wallet, appLink } = phase
    return screen(
      record,
      { wallet, step, appLink },
      {
        retry: () => machine.send({ type: 'retry', attempt: new AbortController() }),
        other: card.back,
        install: () => machine.send({ type: 'install' }),
      },
    )
  }

  /** Whether its user waits for it still. */
  const isPresent = ({ signal }: Attempt) => !signal.aborted && !card.signal.aborted && card.isAt(record)

  async function attempting(
    attempt: Attempt,
    run: (signal: AbortSignal) => Promise<ConnectionEvent | undefined>,
  ): Promise<ConnectionEvent | undefined> {
    try {
      const event = await run(AbortSignal.any([attempt.signal, card.signal]))
      return event && isPresent(attempt) ? event : undefined
    } catch (cause) {
      if (!isPresent(attempt)) return undefined
      const error = toLatchkeyError(cause, 'unknown_connect_wallet_error', 'The wallet failed')
      return tells(error) ? undefined : { type: 'failed', attempt, error }
    }
  }

  async function connect(
    { attempt, wallet, connector }: Effect<'connect'>,
    signal: AbortSignal,
  ): Promise<ConnectionEvent> {
    const account = await connector.connect({
      signal,
      wanted,
      onUri(uri) {
        if (!isPresent(attempt)) return
        machine.send({ type: 'meeting', attempt, meeting: sources.meetingAt(uri, wallet) })
      },
    })
    const appLink = sources.appOf(wallet, account)
    const { address } = account
    if (wanted !== undefined && !isSameAddress(address, wanted)) {
      return { type: 'other account', attempt, address, wanted, appLink }
    }
    const move =
      chainId === undefined
        ? moveToWanted(settings(), account, connector)
        : moveTo(chainId, account, connector)
    return { type: 'connected', attempt, account, move, appLink }
  }

  async function switchChain(
    { attempt, connector, move }: Effect<'switch'>,
    signal: AbortSignal,
  ): Promise<ConnectionEvent> {
    try {
      await connector.switchChain?.(move.chainId, { signal })
      return { type: 'switched', attempt }
    } catch (error) {
      // Whoever does not want it has refused; a wallet that can not, or fails to, logs in where it is.
      const isRefused = error instanceof LatchkeyError && error.code === 'user_rejected_request'
      if (move.isRequired || isRefused) throw error
      return { type: 'not switched', attempt }
    }
  }

  return {
    choose: (wallet) => machine.send({ type: 'choose', wallet, attempt: new AbortController() }),
  }
}

/** A wallet that can not go to the one chain that is wanted fails. */
function moveTo(chainId: number, account: ConnectedWallet, connector: Connector): Move | undefined {
  if (account.chainId === chainId) return undefined
  if (!connector.switchChain)
    throw new LatchkeyError('unsupported_chain_id', 'The wallet is on another chain')
  return { chainId, isRequired: true }
}

/**
 * To one of the chains that the host is for, where it says which. A wallet that does not know it stays where it is: a
 * signature is good on any chain, and whoever sends something there is told by the wallet.
 */
function moveToWanted(
  { config: { supportedChains, defaultChain } }: Settings,
  account: ConnectedWallet,
  connector: Connector,
): Move | undefined {
  const wanted = supportedChains ?? (defaultChain === undefined ? [] : [defaultChain])
  const chainId = wanted.find((each) => each === defaultChain) ?? wanted[0]
  if (chainId === undefined || wanted.includes(account.chainId) || !connector.switchChain) return undefined
  return { chainId, isRequired: false }
}
