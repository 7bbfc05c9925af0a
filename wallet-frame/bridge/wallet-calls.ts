/**
 * The steps of the wallet calls. They pass data between the server (wallets, sealed shares) and the vault
 * (keys), and hold no state. Each step first verifies with `enter` that the vault can do it, so that a call
 * for an ended operation costs nothing at the server.
 */
import { type ChainType, isSameAddress, LatchkeyError } from '@latchkey/protocol'
import { type CommittedWallet, walletRoutes } from '@latchkey/protocol/api'
import { confirmedPurposes, type PendingWallet } from '@latchkey/protocol/wallet'
import type { RecoveryInputs, RecoveryMethodPart } from '../recovery/recovery-method.ts'
import { assertAddress, toPinnedWallet, toWalletLine } from '../shares/pinned-wallet.ts'
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

/** `place`: the slot that the server reserved with the login. */
export type CreationSource = { importedKey?: ImportedKey | undefined; place?: PendingWallet | undefined }

/**
 * Creates a wallet, or returns the existing one. A user has one wallet per chain. If another call was first,
 * in any tab, the result is that wallet and whether this device has its share. Recovering it is a separate
 * operation.
 */
export async function createWallet(
  ports: WalletPorts,
  call: StepCall,
  chain: ChainType,
  { operations, storageFor, openFiles }: RecoveryMethodPart,
  inputs: RecoveryInputs,
  { importedKey, place: reserved }: CreationSource = {},
): Promise<CreatedWallet> {
  const { vault } = ports
  const { operation, signal } = call
  const adoptWallet = (wallet: CommittedWallet) => {
    // A repeated call, for example after a lost response, must name the same wallet.
    assertImportedAddress(wallet.address, importedKey)
    return adoptCommitted(ports, call, wallet)
  }
  const kind = importedKey ? operations.import : operations.create
  const { publicKey } = await vault.call('enter', { operation, kind }, signal)
  // A hostile dialog could name the slot of another wallet, and so overwrite the recovery file of that wallet.
  const place = openFiles || !reserved ? await beginWallet(ports, call, chain) : reserved
  if (place.status === 'committed') return adoptWallet(place)
  const created = await createInVault(place, ports, call, async () => ({
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
  await vault.call('adopt', { wallet: toPinnedWallet(ports, wallet) }, call.signal)
  return { address: wallet.address, onDevice: true, user }
}

function assertImportedAddress(found: string, importedKey: ImportedKey | undefined): void {
  if (!importedKey || isSameAddress(found, importedKey.address)) return
  throw new LatchkeyError('embedded_wallet_already_exists', 'The user has another wallet')
}

/**
 * Creates the wallet in the vault. Its device share stays pending until the commit, which another call may
 * win.
 */
async function createInVault(
  place: PendingWallet,
  ports: WalletPorts,
  call: StepCall,
  inputs: () => Promise<Pick<VaultInput<'create'>, 'operation' | 'recoveryStorage' | 'importedKey'>>,
) {
  try {
    const input = { line: toWalletLine(ports, place), serverKey: place.sealingKey, ...(await inputs()) }
    return await ports.vault.call('create', input, call.signal)
  } catch (error) {
    // If another tab of this device committed a wallet meanwhile, the vault refuses to store another one.
    const now = await beginWallet(ports, call, place.chain)
    if (now.status === 'committed') return now
    throw error
  }
}

/** Verifies that this device has its share of the wallet that the server pins for the user. */
export async function connectWallet(ports: WalletPorts, call: StepCall, address: string): Promise<string> {
  await ports.vault.call('enter', { operation: call.operation, kind: 'connect' }, call.signal)
  const { wallet } = await ports.api(walletRoutes.walletStatus, call)
  assertAddress(wallet, address)
  const adopted = await ports.vault.call('adopt', { wallet: toPinnedWallet(ports, wallet) }, call.signal)
  return adopted.address
}

/**
 * Restores this device's share from inputs of the server and the recovery method, which only the vault can
 * open.
 */
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
  await ports.vault.call('enter', { operation, kind: confirmedPurposes[request.method] }, signal)
  const released = await call.withFactor((factor) => ports.api(walletRoutes.releaseShares, call, factor))
  if (isRelayed) refuseUnlessRelayed(request, released.relayedFor)
  else refuseUnlessOnPage(request, ports.host, released.approvedOnPage)
  assertAddress(released.wallet, address)
  const wallet = toPinnedWallet(ports, released.wallet)
  return ports.vault.call('sign', { operation, wallet, auth: released.authShare, request }, signal)
}
