/**
 * Creates the next generation of a wallet's shares in two phases. The new shares are stored beside the current ones.
 * The commit replaces the current shares with one statement, if their generation has not changed since the start.
 * Of several attempts one wins, and the others are deleted.
 */
import { LatchkeyError, reshareLimits } from '@latchkey/protocol'
import type { CommittedWallet } from '@latchkey/protocol/api'
import {
  canonicalShareContext,
  type OwnRecovery,
  type SealedShare,
  type ServerSealingKey,
  type StoredOwnRecovery,
} from '@latchkey/protocol/wallet'
import { recordAudit } from '../../../identity/audit/audit.ts'
import { requireLivingSession } from '../../../identity/sessions/sessions.ts'
import type { ServerContext, WalletToken } from '../../../kernel/context.ts'
import { type App, nowSeconds, type Trx } from '../../../kernel/ports.ts'
import { assertConfirmed, consumeConfirmation } from '../../confirm/confirm.ts'
import {
  committedWallet,
  invalidCommit,
  kmsPurposes,
  publicSealingKey,
  requireCustody,
  requireSealingKey,
  rewrap,
  shareContext,
} from '../custody.ts'
import { assertMethodAllowed, readBackRecovery, storeRecovery } from '../recovery/methods.ts'
import { authorizeRelease, getSealTarget, sealForStep } from '../release.ts'
import { sealToVault } from '../sealing.ts'
import * as store from './reshare-store.ts'

export type ReshareStart = {
  wallet: CommittedWallet
  authShare: SealedShare
  generation: number
  sealingKey: ServerSealingKey
}

/** Stored as the outcome of the call. A repeated call seals the shares again. */
export type ReshareOutcome = { generation: number }

/** Starts a reshare. The verification is valid for the whole operation, and only that operation can continue it. */
export async function beginReshare(
  trx: Trx,
  context: ServerContext,
  app: App,
  caller: WalletToken,
  mfaToken: string | undefined,
): Promise<ReshareOutcome> {
  const approved = await consumeConfirmation(trx, context, app, caller)
  await authorizeRelease(trx, context, app, caller, mfaToken, approved)
  const { wallet } = await requireCustody(trx, caller, caller.step.walletId)
  const generation = await store.openReshare(trx, wallet, {
    operationId: caller.step.operation.id,
    expiresAt: nowSeconds(context.clock) + reshareLimits.pendingSeconds,
  })
  return { generation }
}

export async function renderReshareStart(
  context: ServerContext,
  caller: WalletToken,
  { generation }: ReshareOutcome,
): Promise<ReshareStart> {
  const custody = await requireCustody(context.db, caller, caller.step.walletId)
  return {
    wallet: committedWallet(custody),
    authShare: await sealForStep(context, caller, custody, 'auth'),
    generation,
    sealingKey: publicSealingKey(context.keyring.sealingKey()),
  }
}

export type ReshareInput = {
  generation: number
  sealingKeyId: string
  authShare: SealedShare
  recovery: OwnRecovery
  proof: string
}
export type StoredReshare = {
  authShare: SealedShare
  recovery: StoredOwnRecovery
}

/** Stores the new shares and reads them back, so that the vault tests the shares of a later recovery. */
export async function storeReshare(
  context: ServerContext,
  app: App,
  caller: WalletToken,
  input: ReshareInput,
): Promise<StoredReshare> {
  const { wallet, address } = await requireCustody(context.db, caller, caller.step.walletId)
  const { method } = input.recovery
  assertMethodAllowed(app, method, false)
  assertConfirmed(caller, { method: 'set-recovery', params: [address, method] })
  const reshareKey = {
    walletId: wallet.id,
    generation: input.generation,
    operationId: caller.step.operation.id,
  }
  const now = nowSeconds(context.clock)
  if (!(await store.findReshare(context.db, reshareKey, now))) throw reshareNotFound()
  const slot = { ...wallet, generation: input.generation }
  const { assertAddressProven } = await import('../addresses/address.ts')
  // The proof by the wallet's key stops an attacker with only a session from replacing the shares.
  await assertAddressProven(slot, address, input)
  const key = await requireSealingKey(context, input.sealingKeyId)
  const auth = { ...shareContext(slot, address), role: 'auth' } as const
  const recovery = { ...auth, role: 'recovery' } as const
  await store.fillReshare(context.db, reshareKey, {
    auth_share: await rewrap(context, key, auth, 'auth', input.authShare),
    ...(await storeRecovery(context, key, recovery, method, input.recovery)),
  })

  const stored = await store.findReshare(context.db, reshareKey, now)
  if (!stored?.auth_share || !stored.recovery_share) throw reshareNotFound()
  const plaintext = await context.kms.unwrap(kmsPurposes.auth, stored.auth_share, canonicalShareContext(auth))
  try {
    return {
      authShare: await sealToVault(getSealTarget(caller), plaintext, auth),
      recovery: await readBackRecovery(
        method,
        context,
        getSealTarget(caller),
        stored.recovery_share,
        recovery,
      ),
    }
  } finally {
    plaintext.fill(0)
  }
}

/** `set before`: an earlier call committed it, but its response was lost. */
export type CommitOutcome = 'set' | 'set before' | 'lost'

/** Makes the stored generation the current one. A repeated call returns `set before`. */
export async function commitReshare(
  trx: Trx,
  context: ServerContext,
  caller: WalletToken,
  generation: number,
): Promise<CommitOutcome> {
  // The shares outlive the session that created them.
  await requireLivingSession(trx, context, caller.sessionId)
  const { wallet } = await requireCustody(trx, caller, caller.step.walletId)
  if (wallet.generation === generation) return 'set before'
  const reshareKey = { walletId: wallet.id, generation, operationId: caller.step.operation.id }
  const stored = await store.findReshare(trx, reshareKey, nowSeconds(context.clock))
  if (stored && !isComplete(stored)) throw invalidCommit('The shares of this generation are missing')
  if (!stored || !(await store.replaceShares(trx, wallet, stored))) return 'lost'
  await recordAudit(trx, context.clock, {
    event: 'wallet.recovery_set',
    appId: caller.appId,
    userId: caller.userId,
    sessionId: caller.sessionId,
    details: { wallet: wallet.id, method: stored.recovery_method, generation },
  })
  return 'set'
}

const isComplete = (stored: store.Reshare): stored is store.CompleteReshare =>
  stored.auth_share !== null && stored.recovery_share !== null && stored.recovery_method !== null

const reshareNotFound = () => new LatchkeyError('invalid_data', 'No such recovery change is in progress')
