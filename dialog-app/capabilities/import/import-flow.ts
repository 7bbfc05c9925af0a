/**
 * The user brings a wallet along: a page of the wallet's origin takes the key and shows its address, and when the user
 * has said yes there, the wallet frame has it kept. What is typed on that page never comes through here.
 * `import-state.ts` decides what comes next; this does it.
 */
import {
  findEmbeddedWallet,
  LatchkeyError,
  toLatchkeyError,
  type UserRecord,
  type WalletAccount,
  walletLimits,
} from '@latchkey/protocol'
import { failurePayload } from '../../api/analytics.ts'
import { approveAction } from '../../contract/approved-action.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { FlowHandle, RunningFlow } from '../../flow/flow.ts'
import { createMachine, partOf } from '../../flow/machine.ts'
import { screen } from '../../flow/screen.ts'
import { requireUser } from '../../host/require-user.ts'
import { acceptCreated } from '../../wallet/created-wallet.ts'
import type { WalletChannel } from '../../wallet/frame.ts'
import { isReusable, type OwnRecovery, toRecoveryInput } from '../../wallet/own-recovery.ts'
import {
  endingOfClose,
  type ImportEffect,
  type ImportEvent,
  type ImportPhase,
  type ImportState,
  importStep,
  type OpenPage,
  shownImport,
  unimported,
} from './import-state.ts'
import { importScreen } from './screens.ts'
import { english } from './texts.arb'

export type ImportPorts = Pick<CapabilityPorts, 'session' | 'settings' | 'wallet' | 'analytics' | 'api'>
export type Import = {
  /** The host brought this key; else the user types it. */
  privateKey: string | undefined
  /** How the user keeps the wallet; else the server does, until they set something. */
  own?: OwnRecovery
  /** This is called as soon as the wallet is imported: its user may close the card before this flow ends. */
  onImported?: (account: WalletAccount) => void
}

export function createImportFlow(
  ports: ImportPorts,
  { privateKey, own, onImported }: Import,
  handle: FlowHandle<WalletAccount>,
): RunningFlow<WalletAccount> {
  const { wallet, session, analytics } = ports
  const { signal } = handle
  /** Who asked for it hears sooner of a frame that does not come. */
  const patience = { signal, readyWaitMs: walletLimits.frameReadyImperativeMs }

  const machine = createMachine<ImportState, ImportEvent, ImportEffect>({
    initial: unimported(isReusable(own)),
    step: importStep,
    draw: ({ phase }) => draw(phase),
    ...partOf(handle),
    effects: {
      async 'find user'() {
        refuseSecond(await requireUser(ports, handle))
        return { type: 'found' }
      },
      'open page': () => orFailed(async () => ({ type: 'opened', page: await openPage() })),
      'ask for key': ({ channel }) =>
        orFailed(async () => ({ type: 'chosen', address: await chosenAddress(channel) })),
      import: ({ channel, address }) =>
        orFailed(async () => ({ type: 'imported', account: await importing(channel, address) })),
      tell: ({ account }) => onImported?.(account),
      'end when read': ({ ending }) =>
        void handle.after(walletLimits.createdScreenCloseMs, () => handle.end(ending)),
      end: ({ ending }) => handle.end(ending),
    },
  })

  async function orFailed(run: () => Promise<ImportEvent>): Promise<ImportEvent> {
    try {
      return await run()
    } catch (cause) {
      return { type: 'failed', cause }
    }
  }

  function draw(phase: ImportPhase) {
    const state = shownImport(phase)
    if (!state) return
    const retry = () => machine.send({ type: 'retry' })
    const view = screen(importScreen, state, { retry, leave: () => handle.end() })
    if (handle.isAt(importScreen)) handle.update(view)
    else handle.replace(view)
  }

  async function openPage(): Promise<OpenPage> {
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
    const { sealPrivateKey } = await import('../../wallet/lazy/seal-to-vault.ts')
    const sealed = await sealPrivateKey(publicKey, privateKey)
    return (await channel.call('page:key', { privateKey: sealed }, { signal })).address
  }

  async function importing(channel: WalletChannel, address: string): Promise<WalletAccount> {
    analytics('embedded_wallet_creation_started')
    try {
      const operation = await wallet.begin(patience)
      try {
        const confirmation = await approveImport(channel, address)
        const { data } = await wallet.requestToken(operation, 'import', null, { signal, confirmation })
        const recovery = toRecoveryInput(own)
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
      // They have the wallet, but not as they chose: what the caller knows of them is to say so.
      const { code } = toLatchkeyError(error, 'error', '')
      if (code === 'embedded_wallet_recovery_already_exists') await session.reloadUser().catch(() => {})
      throw error
    }
  }

  /** Has the device approve the address that the user agreed to on the import page. */
  async function approveImport(channel: WalletChannel, address: string) {
    const { id: userId } = await requireUser(ports, handle)
    return approveAction(ports, {
      address: null,
      action: { method: 'import', params: [address] },
      signal,
      sign: (named) => channel.call('page:confirm', { userId, ...named }, { signal }),
    })
  }

  async function accountOf(address: string): Promise<WalletAccount> {
    const state = session.state()
    const existingWallet = state.status === 'authenticated' ? findEmbeddedWallet(state.user) : undefined
    if (existingWallet?.address === address) return existingWallet
    const user = await session.reloadUser()
    const account = user && findEmbeddedWallet(user)
    if (account) return account
    throw new LatchkeyError('embedded_wallet_not_found', 'The imported wallet is no account of the user')
  }

  return {
    kind: 'import',
    run: () => machine.send({ type: 'begin' }),
    onClose: () => endingOfClose(machine.state()),
  }
}

export function refuseSecond(user: UserRecord): void {
  if (!findEmbeddedWallet(user)) return
  throw new LatchkeyError('embedded_wallet_already_exists', english.onlyOne)
}
