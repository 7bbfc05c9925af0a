/** What the server keeps of a wallet that was committed, and how it names it. */
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
import { findPlace, findWallet, type Owner, type Wallet } from './store.ts'

/**
 * What the server may know of a share: that it is whole, and of this wallet, kind, chain, generation and role. A
 * share that the vault would refuse later is refused here, while the wallet can still be made anew.
 */
function assertShareShape(share: Uint8Array, expected: ShareIdentity): void {
  const head = shareHead(expected)
  const isWhole = share.length === head.length + secretBytes[expected.kind]
  if (!isWhole || head.some((byte, index) => share[index] !== byte)) {
    throw new LatchkeyError('share_malformed', 'A share is not of this wallet', {
      details: { role: expected.role },
    })
  }
}

export const walletNotFound = () =>
  new LatchkeyError('embedded_wallet_not_found', 'The user has no such wallet')

export const invalidCommit = (message: string) => new LatchkeyError('invalid_data', message)

/** Each role's shares lie under a key of their own. The device's never come here. */
export const kmsPurposes = { auth: 'auth-share', recovery: 'recovery-share' } as const satisfies {
  [role in Exclude<ShareRole, 'device'>]: KmsPurpose
}
export type KeptRole = keyof typeof kmsPurposes

export type Custody = {
  wallet: Wallet
  address: string
  /** The shares, wrapped by the key management. */
  shares: { [role in KeptRole]: string }
}

/** What a committed wallet has; a pending one has none of it. */
export function custodyOf(wallet: Wallet | undefined): Custody | undefined {
  if (wallet?.status !== 'committed') return undefined
  const { address, auth_share: auth, recovery_share: recovery } = wallet
  if (address === null || auth === null || recovery === null) {
    throw new Error('A committed wallet lacks its address or a share')
  }
  return { wallet, address, shares: { auth, recovery } }
}

export async function custodyAt(reader: Reader, owner: Owner, address: string): Promise<Custody | undefined> {
  const custody = custodyOf(await findPlace(reader, owner, getChainType(address)))
  return custody && isSameAddress(custody.address, address) ? custody : undefined
}

/** The wallet that a token was made for. */
export async function requireCustody(
  reader: Reader,
  owner: Owner,
  walletId: string | null,
): Promise<Custody> {
  const custody = walletId === null ? undefined : custodyOf(await findWallet(reader, owner, walletId))
  if (custody === undefined) throw walletNotFound()
  return custody
}

export const publicSealingKey = ({ id, publicKey }: SealingKey): ServerSealingKey => ({ id, publicKey })

export async function requireSealingKey({ keyring }: ServerContext, id: string): Promise<SealingKey> {
  const key = await keyring.sealingKeyOf(id)
  if (key) return key
  throw invalidCommit('The shares are sealed to a key that this server does not have')
}

/** Opens what came sealed and wraps it for the database; in between it is looked at, and zeroed. */
export async function rewrap(
  { kms }: ServerContext,
  key: SealingKey,
  context: ShareContext,
  role: KeptRole,
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

export const lineOf = (wallet: Wallet) => ({
  walletId: wallet.id,
  userId: wallet.user_id,
  kind: wallet.kind,
  chain: wallet.chain_type,
  generation: wallet.generation,
})

export const shareContext = (wallet: Wallet, address: string): Omit<ShareContext, 'role'> => ({
  appId: wallet.app_id,
  ...lineOf(wallet),
  address,
})

export const committedWallet = ({ wallet, address }: Custody): CommittedWallet => ({
  status: 'committed',
  ...lineOf(wallet),
  address,
  recoveryMethod: wallet.recovery_method,
})
