/**
 * What a wallet call is made of: the server's half (who has which wallet, and sealed shares) and the vault's half
 * (keys). These functions carry between the two and hold nothing.
 */
import { LatchkeyError } from '@latchkey/protocol'
import { type CommittedWallet, type PendingWallet, walletRoutes } from '@latchkey/protocol/api'
import type { VaultClient } from '../bridge/vault-client.ts'
import type { Api } from './transport.ts'

export type WalletPorts = { readonly appId: string; readonly api: Api; readonly vault: VaultClient }
type Call = { readonly token: string }
type AddressedCall = Call & { readonly address: string }

/** A user has one place for a wallet. Who comes second, in whatever tab, gets the wallet that is in it. */
export async function createWallet(ports: WalletPorts, { token }: Call): Promise<string> {
  ports.vault.presentKey()
  const place = await placeOf(ports, { token })
  const wallet = place.status === 'committed' ? place : await fillPlace(ports, { token, place })
  return haveOnDevice(ports, { token, wallet })
}

const placeOf = ({ api }: WalletPorts, { token }: Call) =>
  api(walletRoutes.beginWallet, token, { chainType: 'ethereum' })

/** The device share stays pending until the server says whose wallet it is: what was made may have lost. */
async function fillPlace(
  ports: WalletPorts,
  { token, place }: Call & { place: PendingWallet },
): Promise<CommittedWallet> {
  const { appId, api, vault } = ports
  const { userId, walletId, generation, sealingKey } = place
  const made = await vault
    .ask('create', { appId, userId, walletId, generation, serverKey: sealingKey })
    .catch(async (error: unknown) => {
      // A tab of this device that filled the place meanwhile leaves the vault no room for another wallet.
      const now = await placeOf(ports, { token })
      if (now.status === 'committed') return now
      throw error
    })
  if ('status' in made) return made
  return api(walletRoutes.commitWallet, token, {
    walletId,
    generation,
    address: made.address,
    recoveryMethod: 'latchkey',
    sealingKeyId: sealingKey.id,
    authShare: made.auth,
    recoveryShare: made.recovery,
    proof: made.proof,
  })
}

/** Tells whether this device holds its share of the wallet that the server pins for the user. */
export async function connectWallet(ports: WalletPorts, { token, address }: AddressedCall): Promise<string> {
  const { wallet } = await ports.api(walletRoutes.walletStatus, token)
  if (wallet === null) throw new LatchkeyError('embedded_wallet_not_found', 'The user has no wallet')
  return connect(ports, pinned(wallet, address))
}

/** Makes this device's share from the server's two, which only a vault can open. */
export async function recoverWallet(
  { appId, api, vault }: WalletPorts,
  { token, address }: AddressedCall,
): Promise<string> {
  const vaultKey = vault.presentKey()
  const released = await api(walletRoutes.releaseShares, token, { address, purpose: 'recover' })
  const { userId, walletId, generation } = pinned(released.wallet, address)
  if (released.recoveryShare === null) {
    throw new LatchkeyError('disallowed_recovery_method', 'This wallet is recovered by what its user keeps')
  }
  const recovered = await vault.ask('recover', {
    appId,
    userId,
    walletId,
    generation,
    vaultKey,
    address,
    auth: released.authShare,
    recovery: released.recoveryShare,
  })
  return recovered.address
}

export async function signPersonalMessage(
  { appId, api, vault }: WalletPorts,
  { token, address, params }: AddressedCall & { readonly params: [string, string] },
): Promise<string> {
  const vaultKey = vault.presentKey()
  const released = await api(walletRoutes.releaseShares, token, { address, purpose: 'sign' })
  const { userId, walletId, generation } = pinned(released.wallet, address)
  const signed = await vault.ask('sign', {
    appId,
    userId,
    walletId,
    generation,
    vaultKey,
    address,
    auth: released.authShare,
    request: { method: 'personal_sign', params },
  })
  return signed.data
}

async function haveOnDevice(
  ports: WalletPorts,
  { token, wallet }: Call & { wallet: CommittedWallet },
): Promise<string> {
  try {
    return await connect(ports, wallet)
  } catch (error) {
    if (!(error instanceof LatchkeyError) || error.code !== 'wallet_not_on_device') throw error
    return recoverWallet(ports, { token, address: wallet.address })
  }
}

async function connect({ appId, vault }: WalletPorts, wallet: CommittedWallet): Promise<string> {
  const { userId, walletId, generation, address } = wallet
  return (await vault.ask('connect', { appId, userId, walletId, generation, address })).address
}

/** The wallet that was asked for must be the one that the server answers about. */
function pinned(wallet: CommittedWallet, address: string): CommittedWallet {
  if (wallet.address.toLowerCase() === address.toLowerCase()) return wallet
  throw new LatchkeyError('share_mismatch', "The user's wallet has another address")
}
