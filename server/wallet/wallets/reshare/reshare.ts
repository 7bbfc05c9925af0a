/**
 * Another generation of a wallet's shares, in two phases. Those that are made lie beside the present ones until one
 * statement puts them in their place, if the present generation is still the one that they were made from: of several
 * attempts one wins, and nothing of the others is left.
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
import { livingSession } from '../../../identity/sessions/sessions.ts'
import type { ServerContext, WalletToken } from '../../../kernel/context.ts'
import { type App, nowSeconds, type Trx } from '../../../kernel/ports.ts'
import { assertConfirmed, useConfirmation } from '../../confirm/confirm.ts'
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
import { countRelease, sealedToStep, stepOf } from '../release.ts'
import { sealToVault } from '../sealing.ts'
import * as store from './reshare-store.ts'

export type BegunReshare = {
  wallet: CommittedWallet
  authShare: SealedShare
  generation: number
  sealingKey: ServerSealingKey
}

/** This is stored as the outcome of the call; a repeated call gets the shares sealed anew. */
export type OpenedReshare = { generation: number }

/** Its verification holds for the whole operation: no other one can go on with what it opens. */
export async function openReshare(
  trx: Trx,
  context: ServerContext,
  app: App,
  caller: WalletToken,
  mfaToken: string | undefined,
): Promise<OpenedReshare> {
  const approved = await useConfirmation(trx, context, app, caller)
  await countRelease(trx, context, app, caller, mfaToken, approved)
  const { wallet } = await requireCustody(trx, caller, caller.step.walletId)
  const generation = await store.openReshare(trx, wallet, {
    operationId: caller.step.operation.id,
    expiresAt: nowSeconds(context.clock) + reshareLimits.pendingSeconds,
  })
  return { generation }
}

export async function begunReshare(
  context: ServerContext,
  caller: WalletToken,
  { generation }: OpenedReshare,
): Promise<BegunReshare> {
  const custody = await requireCustody(context.db, caller, caller.step.walletId)
  return {
    wallet: committedWallet(custody),
    authShare: await sealedToStep(context, caller, custody, 'auth'),
    generation,
    sealingKey: publicSealingKey(context.keyring.sealingKey()),
  }
}

export type ReshareToKeep = {
  generation: number
  sealingKeyId: string
  authShare: SealedShare
  recovery: OwnRecovery
  proof: string
}
export type KeptReshare = {
  authShare: SealedShare
  recovery: StoredOwnRecovery
}

/** What it answers was read back from where it lies, so that the vault tries what a later recovery will get. */
export async function keepReshare(
  context: ServerContext,
  app: App,
  caller: WalletToken,
  given: ReshareToKeep,
): Promise<KeptReshare> {
  const { wallet, address } = await requireCustody(context.db, caller, caller.step.walletId)
  const { method } = given.recovery
  assertMethodAllowed(app, method, false)
  assertConfirmed(caller, { method: 'set-recovery', params: [address, method] })
  const mine = { walletId: wallet.id, generation: given.generation, operationId: caller.step.operation.id }
  const now = nowSeconds(context.clock)
  if (!(await store.findReshare(context.db, mine, now))) throw gone()
  const place = { ...wallet, generation: given.generation }
  const { assertAddressProven } = await import('../addresses/address.ts')
  // Whoever has a session alone can not put other shares in the place of the wallet's.
  await assertAddressProven(place, address, given)
  const key = await requireSealingKey(context, given.sealingKeyId)
  const auth = { ...shareContext(place, address), role: 'auth' } as const
  const recovery = { ...auth, role: 'recovery' } as const
  await store.fillReshare(context.db, mine, {
    auth_share: await rewrap(context, key, auth, 'auth', given.authShare),
    ...(await storeRecovery(context, key, recovery, method, given.recovery)),
  })

  const kept = await store.findReshare(context.db, mine, now)
  if (!kept?.auth_share || !kept.recovery_share) throw gone()
  const opened = await context.kms.unwrap(kmsPurposes.auth, kept.auth_share, canonicalShareContext(auth))
  try {
    return {
      authShare: await sealToVault(stepOf(caller), opened, auth),
      recovery: await readBackRecovery(method, context, stepOf(caller), kept.recovery_share, recovery),
    }
  } finally {
    opened.fill(0)
  }
}

/** `set before`: the answer of the call that set it was lost. */
export type Committed = 'set' | 'set before' | 'lost'

/** Undecided by who asks again: a generation that is the present one was committed, whoever heard of it. */
export async function commitReshare(
  trx: Trx,
  context: ServerContext,
  caller: WalletToken,
  generation: number,
): Promise<Committed> {
  // The shares outlast the session that made them.
  await livingSession(trx, context, caller.sessionId)
  const { wallet } = await requireCustody(trx, caller, caller.step.walletId)
  if (wallet.generation === generation) return 'set before'
  const mine = { walletId: wallet.id, generation, operationId: caller.step.operation.id }
  const kept = await store.findReshare(trx, mine, nowSeconds(context.clock))
  if (kept && !isWhole(kept)) throw invalidCommit('The shares of this generation were not given')
  if (!kept || !(await store.replaceShares(trx, wallet, kept))) return 'lost'
  await recordAudit(trx, context.clock, {
    event: 'wallet.recovery_set',
    appId: caller.appId,
    userId: caller.userId,
    sessionId: caller.sessionId,
    details: { wallet: wallet.id, method: kept.recovery_method, generation },
  })
  return 'set'
}

const isWhole = (kept: store.Reshare): kept is store.WholeReshare =>
  kept.auth_share !== null && kept.recovery_share !== null && kept.recovery_method !== null

const gone = () => new LatchkeyError('invalid_data', 'There is no such change of recovery under way')
