/**
 * Another recovery for a wallet that is there. The wallet is split anew under another generation, in two phases: all
 * of the new generation lies where it is to be and has been tried before the server takes it for the present one, in
 * one statement, and only then does anything of the old generation go. Whatever dies on the way, one of the two opens.
 */
import { LatchkeyError } from '@latchkey/protocol'
import { type RouteOutput, recoveryRoutes } from '@latchkey/protocol/api'
import type { RecoveryInputs, RecoveryMethodPart } from '../../recovery/recovery-method.ts'
import { assertAddress, pinnedWallet } from '../../shares/pinned-wallet.ts'
import type { StepCall, WalletPorts } from '../../shares/ports.ts'

type Set = RouteOutput<typeof recoveryRoutes.commitReshare>

export async function setRecovery(
  ports: WalletPorts,
  call: StepCall,
  address: string,
  { operations: { set: kind }, storageFor, openFiles }: RecoveryMethodPart,
  inputs: RecoveryInputs,
): Promise<Pick<Set['wallet'], 'address'> & Pick<Set, 'user'>> {
  if (kind === undefined || storageFor === undefined) {
    throw new LatchkeyError('disallowed_recovery_method', 'A wallet is not given this recovery')
  }
  const { api, vault } = ports
  const { operation, signal } = call
  await vault.call('enter', { operation, kind }, signal)
  const begun = await call.withFactor((factor) => api(recoveryRoutes.beginReshare, call, factor))
  assertAddress(begun.wallet, address)
  const { generation, sealingKey, authShare } = begun
  const old = pinnedWallet(ports, begun.wallet)
  const created = await vault.call(
    'reshare',
    {
      wallet: old,
      operation,
      auth: authShare,
      generation,
      serverKey: sealingKey,
      recoveryStorage: storageFor(inputs),
    },
    signal,
  )
  const wallet = { ...old, generation }
  const { file } = created
  const files = file === undefined ? undefined : await openFiles?.(ports, call, inputs)
  if (file !== undefined) await files?.store(wallet, file)
  const stored = await api(recoveryRoutes.keepReshare, call, {
    generation,
    sealingKeyId: sealingKey.id,
    authShare: created.auth,
    recovery: created.recovery,
    proof: created.proof,
  })
  const { authShare: auth, recovery } = stored
  await vault.call(
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
  await vault.call('adopt', { wallet: pinnedWallet(ports, present) }, signal)
  // What it opened is gone. A file that stays, as after a tab that died here or that lost, opens nothing.
  await files?.remove(old).catch(() => {})
  return { address: present.address, user }
}
