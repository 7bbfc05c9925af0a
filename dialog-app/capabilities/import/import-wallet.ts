/**
 * Imports a wallet. A page of the wallet origin takes the key and shows its address. After the user confirms it there, the
 * wallet frame stores the wallet. The key that a user types never passes through this page.
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
import { type CallScreens, createCall } from '../../app/screen-stack.ts'
import type { DialogServices } from '../../app/services.ts'
import { rejectedError } from '../../approval/rejection.ts'
import { wait } from '../../browser/waiting.ts'
import { approveAction } from '../../contract/approved-action.ts'
import { done, type Flow, failed } from '../../flow/flow.ts'
import { requireUser } from '../../host/require-user.ts'
import { acceptCreated } from '../../wallet/created-wallet.ts'
import type { WalletChannel } from '../../wallet/frame.ts'
import { isReusable, type OwnRecovery, toRecoveryInput } from '../../wallet/own-recovery.ts'
import type { KeyPage } from './import-screen.tsx'
import { failedScreen, importedScreen, importScreen } from './screens.ts'
import { english } from './texts.arb'

export type Import = {
  /** The key of the host. Undefined if the user types it. */
  privateKey: string | undefined
  /** The recovery method that the user chose. The default is automatic recovery. */
  own?: OwnRecovery
  /** Called before the last screen, which the user may close. */
  onImported?: (account: WalletAccount) => void
}

export function createImportCall(
  services: DialogServices,
  { privateKey, own, onImported }: Import,
): Flow<WalletAccount> {
  const { wallet, session, clock, analytics } = services
  let imported: WalletAccount | undefined
  /** The error of a close now, if it is not a rejection. */
  let problem: LatchkeyError | undefined

  const onClose = () => (imported ? done(imported) : failed(problem ?? rejectedError()))
  return createCall<WalletAccount>(services, { kind: 'import', onClose }, async (card) => {
    refuseSecond(await requireUser(services, card))
    for (;;) {
      problem = undefined
      const account = await card
        .open(importScreen, { openPage: () => openPage(card) })
        .catch((cause: unknown) => offerRetry(card, cause))
      if (!account) continue
      imported = account
      onImported?.(account)
      void card.open(importedScreen, {})
      await wait(clock, walletLimits.createdScreenCloseMs, card.signal)
      return account
    }
  })

  /** Rejects if a retry with the same recovery method cannot succeed. */
  async function offerRetry(card: CallScreens, cause: unknown): Promise<undefined> {
    const error = toImportError(cause)
    const isTaken = error.code === 'linked_to_another_user'
    const isRetryable = isTaken || (error.code === 'unknown_embedded_wallet_error' && isReusable(own))
    if (card.signal.aborted || !isRetryable) throw error
    problem = error
    await card.open(failedScreen, { problem: isTaken ? 'taken' : 'failed' })
  }

  async function openPage({ signal }: CallScreens): Promise<KeyPage> {
    // A call that the host waits for learns sooner of an unresponsive frame.
    const patience = { signal, readyWaitMs: walletLimits.frameReadyImperativeMs }
    const pageUrl = await wallet.pageUrl('import')
    const opening = await wallet.begin(patience)
    const { channel } = opening
    // The user may take longer than an operation lives, so the import begins its own.
    wallet.end(opening)

    /** Seals the key of the host to the vault of the page immediately. */
    async function chooseAddress(): Promise<string> {
      const { publicKey } = await channel.call('page:begin', { page: 'import' }, { signal })
      if (privateKey === undefined) return (await channel.call('page:key', {}, { signal })).address
      const { sealPrivateKey } = await import('../../wallet/lazy/seal-to-vault.ts')
      const sealed = await sealPrivateKey(publicKey, privateKey)
      return (await channel.call('page:key', { privateKey: sealed }, { signal })).address
    }

    async function store(address: string): Promise<WalletAccount> {
      const operation = await wallet.begin(patience)
      try {
        const confirmation = await approveImport(channel, address, signal)
        const { data } = await wallet.requestToken(operation, 'import', null, { signal, confirmation })
        const recovery = toRecoveryInput(own)
        const created = await channel.call('wallet:import', { ...data, address, ...recovery }, { signal })
        await acceptCreated(created, own, session, (again) => wallet.recover(address, { signal, own: again }))
      } finally {
        wallet.end(operation)
      }
      return findAccount(address)
    }

    return {
      pageUrl,
      async importWallet(onChosen) {
        const address = await chooseAddress()
        onChosen()
        analytics('embedded_wallet_creation_started')
        try {
          const account = await store(address)
          analytics('embedded_wallet_creation_completed')
          return account
        } catch (error) {
          analytics('embedded_wallet_creation_failed', failurePayload(error))
          // The user has the wallet, but with another recovery method, so the known user is outdated.
          const { code } = toLatchkeyError(error, 'error', '')
          if (code === 'embedded_wallet_recovery_already_exists') await session.reloadUser().catch(() => {})
          throw error
        }
      },
    }
  }

  /** Has the device approve the address that the user confirmed on the page. */
  async function approveImport(channel: WalletChannel, address: string, signal: AbortSignal) {
    const { id: userId } = await requireUser(services, { signal })
    return approveAction(services, {
      address: null,
      action: { method: 'import', params: [address] },
      signal,
      sign: (named) => channel.call('page:confirm', { userId, ...named }, { signal }),
    })
  }

  async function findAccount(address: string): Promise<WalletAccount> {
    const state = session.state()
    const existingWallet = state.status === 'authenticated' ? findEmbeddedWallet(state.user) : undefined
    if (existingWallet?.address === address) return existingWallet
    const user = await session.reloadUser()
    const account = user && findEmbeddedWallet(user)
    if (account) return account
    throw new LatchkeyError('embedded_wallet_not_found', 'The imported wallet is no account of the user')
  }
}

export function refuseSecond(user: UserRecord): void {
  if (!findEmbeddedWallet(user)) return
  throw new LatchkeyError('embedded_wallet_already_exists', english.onlyOne)
}

/** Errors that the caller gets unchanged: of the user's wallet, of the app's settings, and of the host's key. */
const unchangedCodes: ReadonlySet<string> = new Set([
  'embedded_wallet_already_exists',
  'embedded_wallet_recovery_already_exists',
  'disallowed_recovery_method',
  'invalid_data',
  'linked_to_another_user',
])

function toImportError(cause: unknown): LatchkeyError {
  const error = toLatchkeyError(cause, 'unknown_embedded_wallet_error', english.failed.detail)
  if (unchangedCodes.has(error.code)) return error
  return new LatchkeyError('unknown_embedded_wallet_error', english.failed.detail, {
    cause: error,
    details: { cause: error.code },
  })
}
