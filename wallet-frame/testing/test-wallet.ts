/** A wallet that a vault created and a test server stores, with requests to vaults about it, for tests. */
import type {
  OperationStep,
  SealedShare,
  ShareContext,
  ShareRole,
  StoredRecoveryShare,
  WalletPurpose,
} from '@latchkey/protocol/wallet'
import type { VaultInput, VaultOutput, VaultRequest } from '../vault/contract.ts'
import { createVault, type Vault } from '../vault/vault.ts'
import { cheapPasswordHash } from './cheap-password-hash.ts'
import { testClock } from './clock.ts'
import { helloDigest } from './digests.ts'
import { type MemoryDisk, memoryDatabase } from './memory-database.ts'
import { sealingServer, sealToVault } from './server/sealing-server.ts'

export const server = await sealingServer()
export const line = {
  appId: 'a'.repeat(25),
  userId: 'user_1',
  walletId: 'wallet_1',
  kind: 'entropy',
  chain: 'ethereum',
  generation: 1,
} as const

/** The input of a creation without sealed inputs, so that nothing is opened in its operation. */
export const creation = { line, serverKey: server.key, operation: { id: 'operation_1', step: 1 } } as const

export const newVault = (disk: MemoryDisk, entropy?: Uint8Array<ArrayBuffer>) =>
  createVault({
    openDatabase: () => memoryDatabase(disk),
    clock: testClock(),
    hashPassword: cheapPasswordHash,
    ...(entropy && { randomEntropy: () => entropy.slice() }),
  })

/** Returns the recovery share of a wallet that the server stores too. */
export function shareOf(recovery: StoredRecoveryShare): SealedShare {
  if (recovery.method === 'latchkey') return recovery.share
  throw new Error('The user keeps what opens it')
}

let calls = 0
export async function ask<Name extends VaultRequest>(
  vault: Vault,
  name: Name,
  input: VaultInput<Name>,
  id = String(++calls),
): Promise<VaultOutput<Name>> {
  const answer = await vault.call({ id, name, input })
  if (!answer.ok) throw Object.assign(new Error(answer.error.message), answer.error)
  return answer.value as VaultOutput<Name>
}

export type Begun = { operation: OperationStep; publicKey: string }
export async function beginIn(vault: Vault, step = 1): Promise<Begun> {
  const { operationId, publicKey } = await ask(vault, 'begin', {})
  return { operation: { id: operationId, step }, publicKey }
}

/** Acts as the server of a wallet: opens the received shares, and seals them to any operation. */
export async function testWallet(disk: MemoryDisk, entropy?: Uint8Array<ArrayBuffer>) {
  const vault = newVault(disk, entropy)
  return storedWallet(vault, line, await ask(vault, 'create', creation))
}

/** The same for a wallet that another vault created. `vault` is that of the device with its share. */
export async function storedWallet(
  vault: Vault,
  line: VaultInput<'create'>['line'],
  made: VaultOutput<'create'>,
) {
  const wallet = { ...line, address: made.address }
  const contextOf = (role: ShareRole): ShareContext => ({ ...wallet, role })
  const stored = {
    auth: await server.open(made.auth, contextOf('auth')),
    recovery: await server.open(shareOf(made.recovery), contextOf('recovery')),
  }
  const release = (
    { publicKey, operation }: Begun,
    role: 'auth' | 'recovery',
    about: Partial<ShareContext> = {},
    digest: string | null = null,
    purpose?: WalletPurpose,
  ) => sealToVault(publicKey, stored[role], { ...contextOf(role), ...about }, operation, digest, purpose)
  return { vault, made, wallet, stored, release, contextOf, adopt: () => ask(vault, 'adopt', { wallet }) }
}
export type TestWallet = Awaited<ReturnType<typeof testWallet>>

export async function signIn(vault: Vault, { wallet, release }: TestWallet, auth?: SealedShare) {
  const begun = await beginIn(vault)
  return ask(vault, 'sign', {
    wallet,
    operation: begun.operation,
    auth: auth ?? (await release(begun, 'auth', {}, helloDigest)),
    request: { method: 'personal_sign', params: ['hello', wallet.address] },
  })
}

export async function recoverIn(vault: Vault, { wallet, release }: TestWallet) {
  const begun = await beginIn(vault)
  return ask(vault, 'recover', {
    wallet,
    operation: begun.operation,
    auth: await release(begun, 'auth'),
    recovery: await release(begun, 'recovery'),
  })
}
