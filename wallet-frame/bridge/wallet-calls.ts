/**
 * What a wallet call is made of: the server's half (who has which wallet, and sealed shares) and the vault's half
 * (keys). These functions carry between the two and hold nothing. Each first has the vault say that the step can
 * be done, so that a call for an operation that is gone costs nothing at the server.
 */
import { type ChainType, isSameAddress, LatchkeyError } from '@latchkey/protocol'
import { type CommittedWallet, type PendingWallet, walletRoutes } from '@latchkey/protocol/api'
import type { RecoveryInputs, RecoveryMethodPart } from '../recovery/recovery-method.ts'
import { assertAddress, lineOf, pinnedWallet } from '../shares/pinned-wallet.ts'
import {
  adoptCommitted,
  beginWallet,
  type CreatedWallet,
  commitCreated,
  type ImportedKey,
} from '../shares/placed-wallet.ts'
import type { StepCall, WalletPorts } from '../shares/ports.ts'
import type { VaultInput } from '../vault/contract.ts'
import { refuseSignInElsewhere, refuseUnlessOnPage, refuseUnlessRelayed } from './sign-in.ts'

/**
 * A user has one place for a wallet of a chain. Who comes second, in whatever tab, is told the wallet that is in it and
 * whether this device holds a share of it; to recover it is an operation of its own.
 */
export async function createWallet(
  ports: WalletPorts,
  call: StepCall,
  chain: ChainType,
  { operations, storageFor, openFiles }: RecoveryMethodPart,
  inputs: RecoveryInputs,
  importedKey?: ImportedKey,
): Promise<CreatedWallet> {
  const { vault } = ports
  const { operation, signal } = call
  const adoptWallet = (wallet: CommittedWallet) => {
    // Asked again, as after an answer that was lost, it is the same wallet.
    assertImportedAddress(wallet.address, importedKey)
    return adoptCommitted(ports, call, wallet)
  }
  const kind = importedKey ? operations.import : operations.create
  const { publicKey } = await vault.call('enter', { operation, kind }, signal)
  const place = await beginWallet(ports, call, chain)
  if (place.status === 'committed') return adoptWallet(place)
  const created = await createFor(place, ports, call, async () => ({
    operation,
    ...(storageFor && { recoveryStorage: storageFor(inputs) }),
    ...(importedKey && { importedKey: await importedKey.seal(publicKey) }),
  }))
  if ('status' in created) return adoptWallet(created)
  assertImportedAddress(created.address, importedKey)

  if (created.file !== undefined) {
    const files = await openFiles?.(ports, call, inputs)
    await files?.store({ ...place, address: created.address }, created.file)
  }
  const { wallet, user } = await commitCreated(ports, call, place, created)
  if (wallet.address !== created.address) return adoptWallet(wallet)
  await vault.call('adopt', { wallet: pinnedWallet(ports, wallet) }, call.signal)
  return { address: wallet.address, onDevice: true, user }
}

function assertImportedAddress(found: string, importedKey: ImportedKey | undefined): void {
  if (!importedKey || isSameAddress(found, importedKey.address)) return
  throw new LatchkeyError('embedded_wallet_already_exists', 'The user has another wallet')
}

/** The device share stays pending until the server says whose wallet it is: what was made may have lost. */
async function createFor(
  place: PendingWallet,
  ports: WalletPorts,
  call: StepCall,
  inputs: () => Promise<Pick<VaultInput<'create'>, 'operation' | 'recoveryStorage' | 'importedKey'>>,
) {
  try {
    const input = { line: lineOf(ports, place), serverKey: place.sealingKey, ...(await inputs()) }
    return await ports.vault.call('create', input, call.signal)
  } catch (error) {
    // A tab of this device that filled the place meanwhile leaves the vault no room for another wallet.
    const now = await beginWallet(ports, call, place.chain)
    if (now.status === 'committed') return now
    throw error
  }
}

/** Tells whether this device holds its share of the wallet that the server pins for the user. */
export async function connectWallet(ports: WalletPorts, call: StepCall, address: string): Promise<string> {
  await ports.vault.call('enter', { operation: call.operation, kind: 'connect' }, call.signal)
  const { wallet } = await ports.api(walletRoutes.walletStatus, call)
  assertAddress(wallet, address)
  const adopted = await ports.vault.call('adopt', { wallet: pinnedWallet(ports, wallet) }, call.signal)
  return adopted.address
}

/** Makes this device's share from what the server and the recovery method give, which only a vault can open. */
export async function recoverWallet(
  ports: WalletPorts,
  call: StepCall,
  address: string,
  recovery: RecoveryMethodPart,
  inputs: RecoveryInputs,
): Promise<string> {
  await ports.vault.call(
    'enter',
    { operation: call.operation, kind: recovery.operations.recover },
    call.signal,
  )
  return recovery.recover(ports, call, { address, inputs })
}

export async function signRequest(
  ports: WalletPorts,
  call: StepCall,
  address: string,
  request: VaultInput<'sign'>['request'],
  isRelayed = false,
) {
  const { operation, signal } = call
  if (!isRelayed) refuseSignInElsewhere(request, ports.host?.origins ?? [])
  await ports.vault.call('enter', { operation, kind: 'sign' }, signal)
  const released = await call.withFactor((factor) => ports.api(walletRoutes.releaseShares, call, factor))
  if (isRelayed) refuseUnlessRelayed(request, released.relayedFor)
  else refuseUnlessOnPage(request, ports.host, released.approvedOnPage)
  assertAddress(released.wallet, address)
  const wallet = pinnedWallet(ports, released.wallet)
  return ports.vault.call('sign', { operation, wallet, auth: released.authShare, request }, signal)
}
