/**
 * Changes the recovery method of an existing wallet. The secret is split again under a new generation, in two
 * phases. First all new shares are stored and tested; then the server commits the generation in one
 * statement. Only after that are old shares deleted. Whatever fails on the way, one of the two generations
 * opens.
 */
import { LatchkeyError } from '@latchkey/protocol'
import { type RouteOutput, recoveryRoutes } from '@latchkey/protocol/api'
import type { RecoveryInputs, RecoveryMethodPart } from '../../recovery/recovery-method.ts'
import { assertAddress, toPinnedWallet } from '../../shares/pinned-wallet.ts'
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
  const release = await call.withFactor((factor) => api(recoveryRoutes.beginReshare, call, factor))
  assertAddress(release.wallet, address)
  const { generation, sealingKey, authShare } = release
  const old = toPinnedWallet(ports, release.wallet)
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
  // A concurrent attempt may have committed first, possibly on this device.
  if (present.generation !== generation) {
    throw new LatchkeyError(
      'embedded_wallet_recovery_already_exists',
      'The recovery of this wallet was changed at the same time',
    )
  }
  await vault.call('adopt', { wallet: toPinnedWallet(ports, present) }, signal)
  // The old file is obsolete, so a failed deletion is ignored: the file opens nothing any more.
  await files?.remove(old).catch(() => {})
  return { address: present.address, user }
}
