/**
 * Another recovery for a wallet that is there. The wallet is split anew under another generation, in two phases: all
 * of the new generation lies where it is to be and has been tried before the server takes it for the present one, in
 * one statement, and only then does anything of the old generation go. Whatever dies on the way, one of the two opens.
 */
import { LatchkeyError } from '@latchkey/protocol'
import { type RouteOutput, recoveryRoutes } from '@latchkey/protocol/api'
import type { RecoveryGiven, RecoveryMethodPart } from '../recovery/recovery-method.ts'
import { assertAddress, pinnedWallet } from '../shares/pinned-wallet.ts'
import type { StepCall, WalletPorts } from '../shares/ports.ts'

type Set = RouteOutput<typeof recoveryRoutes.commitReshare>

export async function setRecovery(
  ports: WalletPorts,
  call: StepCall,
  address: string,
  { operations: { set: kind }, keep, openFiles }: RecoveryMethodPart,
  given: RecoveryGiven,
): Promise<Pick<Set['wallet'], 'address'> & Pick<Set, 'user'>> {
  if (kind === undefined || keep === undefined) {
    throw new LatchkeyError('disallowed_recovery_method', 'A wallet is not given this recovery')
  }
  const { api, vault } = ports
  const { operation, signal } = call
  await vault.ask('enter', { operation, kind }, signal)
  const begun = await call.withFactor((factor) => api(recoveryRoutes.beginReshare, call, factor))
  assertAddress(begun.wallet, address)
  const { generation, sealingKey, authShare } = begun
  const old = pinnedWallet(ports, begun.wallet)
  const made = await vault.ask(
    'reshare',
    {
      wallet: old,
      operation,
      auth: authShare,
      generation,
      serverKey: sealingKey,
      keep: keep(given),
    },
    signal,
  )
  const wallet = { ...old, generation }
  const { file } = made
  const files = file === undefined ? undefined : await openFiles?.(ports, call, given)
  if (file !== undefined) await files?.keep(wallet, file)
  const kept = await api(recoveryRoutes.keepReshare, call, {
    generation,
    sealingKeyId: sealingKey.id,
    authShare: made.auth,
    recovery: made.recovery,
    proof: made.proof,
  })
  const { authShare: auth, recovery } = kept
  await vault.ask(
    'confirm',
    { wallet, operation, auth, recovery, ...(file !== undefined && { file }) },
    signal,
  )
  const { wallet: present, user } = await api(recoveryRoutes.commitReshare, call, { generation })
  // Another attempt may have been quicker: its device has its share, and this one may be that device.
  if (present.generation !== generation) {
    throw new LatchkeyError(
      'embedded_wallet_recovery_already_exists',
      'The recovery of this wallet was changed at the same time',
    )
  }
  await vault.ask('adopt', { wallet: pinnedWallet(ports, present) }, signal)
  // What it opened is gone. A file that stays, as after a tab that died here or that lost, opens nothing.
  await files?.remove(old).catch(() => {})
  return { address: present.address, user }
}
