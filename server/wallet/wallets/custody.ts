/** Reads committed wallets with their stored shares and converts them to the protocol types. */
import { getChainType, isSameAddress, LatchkeyError } from '@latchkey/protocol'
import type { CommittedWallet } from '@latchkey/protocol/api'
import {
  canonicalShareContext,
  type SealedShare,
  type ServerSealingKey,
  type ShareContext,
  type ShareIdentity,
  type ShareRole,
  secretBytes,
  shareHead,
} from '@latchkey/protocol/wallet'
import type { ServerContext } from '../../kernel/context.ts'
import type { SealingKey } from '../../kernel/keys/keys.ts'
import type { KmsPurpose, Reader } from '../../kernel/ports.ts'
import { openShare } from './sealing.ts'
import { findWallet, findWalletSlot, type Owner, type Wallet } from './store.ts'

/**
 * Verifies the length and the header of a share: wallet, kind, chain, generation and role. Rejects a share that the
 * vault would later refuse while the wallet can still be created again.
 */
function assertShareShape(share: Uint8Array, expected: ShareIdentity): void {
  const head = shareHead(expected)
  const isWhole = share.length === head.length + secretBytes[expected.kind]
  if (!isWhole || head.some((byte, index) => share[index] !== byte)) {
    throw new LatchkeyError('share_malformed', 'The share belongs to another wallet', {
      details: { role: expected.role },
    })
  }
}

export const walletNotFound = () =>
  new LatchkeyError('embedded_wallet_not_found', 'The user has no such wallet')

export const invalidCommit = (message: string) => new LatchkeyError('invalid_data', message)

/** Each role's shares are wrapped under a separate key. The server never receives device shares. */
export const kmsPurposes = { auth: 'auth-share', recovery: 'recovery-share' } as const satisfies {
  [role in Exclude<ShareRole, 'device'>]: KmsPurpose
}
export type StoredRole = keyof typeof kmsPurposes

export type Custody = {
  wallet: Wallet
  address: string
  /** The shares, wrapped by the KMS. */
  shares: { [role in StoredRole]: string }
}

/** Returns the address and shares of a committed wallet, or undefined for a pending one. */
export function toCustody(wallet: Wallet | undefined): Custody | undefined {
  if (wallet?.status !== 'committed') return undefined
  const { address, auth_share: auth, recovery_share: recovery } = wallet
  if (address === null || auth === null || recovery === null) {
    throw new Error('A committed wallet lacks its address or a share')
  }
  return { wallet, address, shares: { auth, recovery } }
}

export async function findCustodyByAddress(
  reader: Reader,
  owner: Owner,
  address: string,
): Promise<Custody | undefined> {
  const chain = getChainType(address)
  const custody = toCustody(await findWalletSlot(reader, owner, chain))
  if (custody && isSameAddress(custody.address, address)) return custody
  if (chain === 'ethereum') return undefined
  const ethereum = toCustody(await findWalletSlot(reader, owner, 'ethereum'))
  return ethereum?.wallet.solana_address === address ? ethereum : undefined
}

/** Returns the wallet that a token names, or throws. */
export async function requireCustody(
  reader: Reader,
  owner: Owner,
  walletId: string | null,
): Promise<Custody> {
  const custody = walletId === null ? undefined : toCustody(await findWallet(reader, owner, walletId))
  if (custody === undefined) throw walletNotFound()
  return custody
}

export const publicSealingKey = ({ id, publicKey }: SealingKey): ServerSealingKey => ({ id, publicKey })

export async function requireSealingKey({ keyring }: ServerContext, id: string): Promise<SealingKey> {
  const key = await keyring.sealingKeyById(id)
  if (key) return key
  throw invalidCommit('The shares are sealed to a key that this server does not have')
}

/** Opens a sealed share, verifies its shape and wraps it for the database. Zeroes the plaintext. */
export async function rewrap(
  { kms }: ServerContext,
  key: SealingKey,
  context: ShareContext,
  role: StoredRole,
  sealed: SealedShare,
): Promise<string> {
  const share = await openShare(key, sealed, context)
  try {
    assertShareShape(share, context)
    return await kms.wrap(kmsPurposes[role], share, canonicalShareContext(context))
  } finally {
    share.fill(0)
  }
}

export const toWalletLine = (wallet: Wallet) => ({
  walletId: wallet.id,
  userId: wallet.user_id,
  kind: wallet.kind,
  chain: wallet.chain_type,
  generation: wallet.generation,
})

export const shareContext = (wallet: Wallet, address: string): Omit<ShareContext, 'role'> => ({
  appId: wallet.app_id,
  ...toWalletLine(wallet),
  address,
})

export const committedWallet = ({ wallet, address }: Custody): CommittedWallet => ({
  status: 'committed',
  ...toWalletLine(wallet),
  address,
  ...(wallet.solana_address !== null && { solanaAddress: wallet.solana_address }),
  recoveryMethod: wallet.recovery_method,
})
