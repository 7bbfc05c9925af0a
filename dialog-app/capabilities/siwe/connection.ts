/**
 * From the choice of a wallet to the use that is made of it: connected, on a chain that the host wants, and tried again
 * where that failed. One wallet at a time; whatever an earlier one says comes too late.
 */

import { LatchkeyError, siweLimits, toLatchkeyError } from '@latchkey/protocol'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { rowFor } from '../../contract/error-table.ts'
import type { CardHandle } from '../../flow/flow.ts'
import { type ScreenRecord, screen } from '../../flow/screen.ts'
import type { Settings } from '../../host/settings.ts'
import type { AwaitingEvents, AwaitingState, Step } from './awaiting-screen.tsx'
import { type ConnectedWallet, type Connector, isSameAddress } from './connector.ts'
import type { NamedWallet } from './named-wallets.ts'
import type { OfferedWallet } from './offered-wallets.ts'
import { problems } from './problem.ts'
import { failedScreen, installScreen, phoneScreen } from './screens.ts'
import type { WalletSources } from './sources.ts'

/** A wallet that is there, for whoever makes use of it. */
export type Connected = {
  readonly wallet: OfferedWallet
  readonly connector: Connector
  readonly account: ConnectedWallet
  readonly isRetry: boolean
  readonly show: (step: Step) => void
  /** Whether it is still what the user waits for. */
  readonly isPresent: () => boolean
  readonly signal: AbortSignal
}

export type ConnectionUse = {
  readonly card: CardHandle
  readonly record: ScreenRecord<string, AwaitingState, AwaitingEvents>
  /** The address of the account that is to be connected; any where there is none. */
  readonly wanted?: string | undefined
  /** The chain that the wallet has to be on; one that the host is for, and else any, where there is none. */
  readonly chainId?: number
  readonly chosen: () => void
  /** What it throws is a failure of the wallet. */
  readonly use: (connected: Connected) => Promise<void>
  /** True where it tells the user in its own way. */
  readonly tells: (error: LatchkeyError) => boolean
  readonly failed: (error: LatchkeyError) => void
  readonly startOver: () => void
  readonly leave: () => void
}

export type Connection = { readonly choose: (wallet: OfferedWallet) => void }

export function createConnection(
  { settings }: Pick<CapabilityPorts, 'settings'>,
  sources: WalletSources,
  { card, record, wanted, chainId, chosen, use, tells, failed, startOver, leave }: ConnectionUse,
): Connection {
  let attempt = new AbortController()
  let choice = new AbortController()

  function choose(wallet: OfferedWallet) {
    attempt.abort()
    choice.abort()
    choice = new AbortController()
    switch (wallet.way.type) {
      case 'install':
        return showInstall(wallet.way.wallet)
      case 'phone':
        return showPhone(wallet, wallet.way.wallet)
      default:
        chosen()
        connect(wallet)
    }
  }

  function showInstall(wallet: NamedWallet) {
    card.go(screen(installScreen, { wallet }, {}))
  }

  function showPhone(wallet: OfferedWallet, named: NamedWallet) {
    const open = named.openPage?.(sources.pageToReturnTo(wallet.key))
    const store = sources.phone === 'ios' ? named.ios : named.android
    card.go(screen(phoneScreen, { wallet, open, store }, {}))
  }

  function connect(wallet: OfferedWallet) {
    let failures = 0
    let opened: Promise<Connector> | undefined
    let step: Step = { status: 'connecting' }
    let appLink: string | undefined
    const view = () => screen(record, { wallet, step, appLink }, { retry, other: card.back, install })

    function show(next: Step) {
      step = next
      card.update(view())
    }

    function install() {
      if (wallet.way.type === 'relay' && wallet.way.wallet) showInstall(wallet.way.wallet)
    }

    function retry() {
      show({ status: 'connecting' })
      void run()
    }

    async function run() {
      attempt.abort()
      attempt = new AbortController()
      const signal = AbortSignal.any([attempt.signal, card.signal])
      const isPresent = () => !signal.aborted && card.isAt(record)
      try {
        opened ??= sources.open(wallet).then(leaveInTheEnd)
        const connector = await opened.catch((error: unknown) => {
          opened = undefined
          throw error
        })
        const connected = await connector.connect({
          signal,
          wanted,
          onUri: (uri) =>
            isPresent() && show({ status: 'connecting', meeting: sources.meetingAt(uri, wallet) }),
        })
        if (!isPresent()) return
        appLink = sources.appOf(wallet, connected)
        if (wanted !== undefined && !isSameAddress(connected.address, wanted)) {
          refuse(connector, connected.address, wanted)
          return
        }
        const present = { account: connected, connector, show, signal }
        const account =
          chainId === undefined ? await onWantedChain(settings(), present) : await onChain(chainId, present)
        if (!isPresent()) return
        await use({ wallet, connector, account, isRetry: failures > 0, show, isPresent, signal })
      } catch (error) {
        if (isPresent()) fail(toLatchkeyError(error, 'unknown_connect_wallet_error', 'The wallet failed'))
      }
    }

    /** Its user may bring another account at once, as often as they like. */
    function refuse(connector: Connector, address: string, wanted: string) {
      connector.disconnect?.().catch(() => {})
      failed(new LatchkeyError('generic_connect_wallet_error', 'The wallet brought another address'))
      show({ status: 'other account', address, wanted })
    }

    function fail(error: LatchkeyError) {
      if (tells(error)) return
      failures += 1
      failed(error)
      const problem = rowFor(problems, error.code)
      if (failures <= siweLimits.connectRetries || problem === 'userExists') {
        show({ status: 'failed', problem, isRepeated: failures > 1 })
        return
      }
      card.go(screen(failedScreen, {}, { retry: startOver, leave }))
    }

    card.go(view())
    void run()
  }

  /** With the login, link or connection, or with the choice of another wallet. */
  function leaveInTheEnd(connector: Connector): Connector {
    const leave = () => void connector.disconnect?.().catch(() => {})
    AbortSignal.any([choice.signal, card.signal]).addEventListener('abort', leave, { once: true })
    return connector
  }

  return { choose }
}

type Present = Omit<Connected, 'isRetry' | 'isPresent' | 'wallet'>

/** What does not get there fails. */
async function onChain(
  chainId: number,
  { account, connector, show, signal }: Present,
): Promise<ConnectedWallet> {
  if (account.chainId === chainId) return account
  if (!connector.switchChain)
    throw new LatchkeyError('unsupported_chain_id', 'The wallet is on another chain')
  show({ status: 'switching' })
  await connector.switchChain(chainId, { signal })
  return { ...account, chainId }
}

/**
 * To one of the chains that the host is for, where it says which. A wallet that does not know it stays where it is: a
 * signature is good on any chain, and whoever sends something there is told by the wallet.
 */
async function onWantedChain(
  { config: { supportedChains, defaultChain } }: Settings,
  { account, connector, show, signal }: Present,
): Promise<ConnectedWallet> {
  const wanted = supportedChains ?? (defaultChain === undefined ? [] : [defaultChain])
  const chainId = wanted.find((each) => each === defaultChain) ?? wanted[0]
  if (chainId === undefined || wanted.includes(account.chainId) || !connector.switchChain) return account
  show({ status: 'switching' })
  try {
    await connector.switchChain(chainId, { signal })
    return { ...account, chainId }
  } catch (error) {
    // Whoever does not want it has refused; a wallet that can not, or fails to, logs in where it is.
    const isRefused = error instanceof LatchkeyError && error.code === 'user_rejected_request'
    if (isRefused || signal.aborted) throw error
    return account
  }
}
