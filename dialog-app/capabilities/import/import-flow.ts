/**
 * The user brings a wallet along: a page of the wallet's origin takes the key and shows its address, and when the user
 * has said yes there, the wallet frame has it kept. What is typed on that page never comes through here.
 */
import {
  embeddedWallet,
  LatchkeyError,
  toLatchkeyError,
  type UserRecord,
  type WalletAccount,
  walletLimits,
} from '@latchkey/protocol'
import { failurePayload } from '../../api/analytics.ts'
import { rejectedError } from '../../approval/rejection.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { done, type FlowHandle, failed, type RunningFlow } from '../../flow/flow.ts'
import { screen } from '../../flow/screen.ts'
import { requireUser } from '../../host/require-user.ts'
import { acceptCreated } from '../../wallet/created-wallet.ts'
import type { WalletChannel } from '../../wallet/frame.ts'
import { canBeGivenAgain, type OwnRecovery, recoveryOf } from '../../wallet/own-recovery.ts'
import type { ImportState } from './import-screen.tsx'
import { importScreen } from './screens.ts'
import { english } from './texts.arb'

export type ImportPorts = Pick<CapabilityPorts, 'session' | 'settings' | 'wallet' | 'analytics'>
export type Import = {
  /** That the host brought; else the user types it. */
  readonly privateKey: string | undefined
  /** How the user keeps the wallet; else the server does, until they set something. */
  readonly own?: OwnRecovery
  /** Told as soon as it is: its user may close the card before this one ends. */
  readonly onImported?: (account: WalletAccount) => void
}

/** `error` is what the caller gets of a failure that the user leaves at that. */
type Phase =
  | { readonly at: 'open' }
  | { readonly at: 'failed'; readonly error: LatchkeyError }
  | { readonly at: 'done'; readonly account: WalletAccount }

export function createImportFlow(
  ports: ImportPorts,
  { privateKey, own, onImported }: Import,
  handle: FlowHandle<WalletAccount>,
): RunningFlow<WalletAccount> {
  const { wallet, session, analytics } = ports
  const { signal } = handle
  /** Who asked for it hears sooner of a frame that does not come. */
  const patience = { signal, readyWaitMs: walletLimits.frameReadyImperativeMs }
  let phase: Phase = { at: 'open' }

  async function run() {
    refuseSecond(await requireUser(ports, handle))
    await attempt()
  }

  function show(state: ImportState) {
    const retry = () => phase.at === 'failed' && void attempt()
    const view = screen(importScreen, state, { retry, leave: () => handle.end() })
    if (handle.isAt(importScreen)) handle.update(view)
    else handle.replace(view)
  }

  async function attempt() {
    phase = { at: 'open' }
    try {
      show({ status: 'opening' })
      const { channel, pageUrl } = await openPage()
      show({ status: 'page', pageUrl })
      const address = await chosenAddress(channel)
      show({ status: 'importing', pageUrl })
      const account = await importing(channel, address)
      phase = { at: 'done', account }
      onImported?.(account)
      show({ status: 'done', address })
      handle.after(walletLimits.createdScreenCloseMs, () => handle.end(done(account)))
    } catch (error) {
      if (signal.aborted) return
      const problem = toLatchkeyError(error, 'unknown_embedded_wallet_error', english.failed.detail)
      // They have the wallet, but not as they chose: what the caller knows of them is to say so.
      if (problem.code === 'embedded_wallet_recovery_already_exists')
        await session.reloadUser().catch(() => {})
      if (toldAsIs.has(problem.code)) return handle.end(failed(problem))
      const isTaken = problem.code === 'linked_to_another_user'
      // Who asked for what is used up asks for it again.
      if (!isTaken && !canBeGivenAgain(own)) return handle.end(failed(errorOf(problem)))
      phase = { at: 'failed', error: isTaken ? problem : errorOf(problem) }
      show({ status: isTaken ? 'taken' : 'failed' })
    }
  }

  async function openPage() {
    const pageUrl = await wallet.pageUrl('import')
    const operation = await wallet.begin(patience)
    // Nothing is asked in it yet: the user may take longer than it lives.
    wallet.end(operation)
    return { channel: operation.channel, pageUrl }
  }

  /** What the host brought is sealed at once, to the vault of that page. */
  async function chosenAddress(channel: WalletChannel): Promise<string> {
    const { publicKey } = await channel.call('page:begin', { page: 'import' }, { signal })
    if (privateKey === undefined) return (await channel.call('page:key', {}, { signal })).address
    const { sealPrivateKey } = await import('../../wallet/lazy/seal-private-key.ts')
    const sealed = await sealPrivateKey(publicKey, privateKey)
    return (await channel.call('page:key', { privateKey: sealed }, { signal })).address
  }

  async function importing(channel: WalletChannel, address: string): Promise<WalletAccount> {
    analytics('embedded_wallet_creation_started')
    try {
      const operation = await wallet.begin(patience)
      try {
        const { data } = await wallet.tokenFor(operation, 'import', null, { signal })
        const recovery = recoveryOf(own)
        const made = await channel.call('wallet:import', { ...data, address, ...recovery }, { signal })
        await acceptCreated(made, own, session, (again) => wallet.recover(address, { signal, own: again }))
      } finally {
        wallet.end(operation)
      }
      const account = await accountOf(address)
      analytics('embedded_wallet_creation_completed')
      return account
    } catch (error) {
      analytics('embedded_wallet_creation_failed', failurePayload(error))
      throw error
    }
  }

  async function accountOf(address: string): Promise<WalletAccount> {
    const state = session.state()
    const known = state.status === 'authenticated' ? embeddedWallet(state.user) : undefined
    if (known?.address === address) return known
    const user = await session.reloadUser()
    const account = user && embeddedWallet(user)
    if (account) return account
    throw new LatchkeyError('embedded_wallet_not_found', 'The imported wallet is no account of the user')
  }

  return {
    kind: 'import',
    run,
    onClose() {
      switch (phase.at) {
        case 'open':
          return failed(rejectedError())
        case 'failed':
          return failed(phase.error)
        case 'done':
          return done(phase.account)
        default:
          return phase satisfies never
      }
    },
  }
}

export function refuseSecond(user: UserRecord): void {
  if (!embeddedWallet(user)) return
  throw new LatchkeyError('embedded_wallet_already_exists', english.onlyOne)
}

/** What the user has, what the app does not have, and what a host brought that is no key. */
const toldAsIs: ReadonlySet<string> = new Set([
  'embedded_wallet_already_exists',
  'embedded_wallet_recovery_already_exists',
  'disallowed_recovery_method',
  'invalid_data',
])

const errorOf = (cause: LatchkeyError) =>
  new LatchkeyError('unknown_embedded_wallet_error', english.failed.detail, {
    cause,
    details: { cause: cause.code },
  })
