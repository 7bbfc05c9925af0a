/** How shares of a wallet are opened, and its secret is had from two of them: for the length of one use. */
import type { SealedShare, ShareRole } from '@latchkey/protocol/wallet'
import type { DeviceStore, DeviceWallet } from './device/store.ts'
import { type SecretBytes, withSecret } from './keys/secret-bytes.ts'
import type { OpenReleased } from './operations/operations.ts'
import { combineShares } from './shares/shamir.ts'
import { decodeShare, type Share } from './shares/share.ts'

/**
 * From this device's share and the one that was released, which may be for one digest alone. Its address is the
 * pinned one.
 */
export const withWalletSecret = <T>(
  wallet: DeviceWallet,
  sealedAuth: SealedShare,
  released: OpenReleased,
  store: DeviceStore,
  use: (secret: SecretBytes) => T | Promise<T>,
  digest?: string,
): Promise<T> =>
  withCombined(wallet, store.read(wallet), () => openAs('auth', sealedAuth, wallet, released, digest), use)

/** The second share is opened when the first one is there. */
export const withCombined = <T>(
  { address }: DeviceWallet,
  device: Promise<Share>,
  openAuth: () => Promise<Share>,
  use: (secret: SecretBytes) => T | Promise<T>,
): Promise<T> =>
  withShare(device, (left) =>
    withShare(openAuth(), (right) => withSecret(combineShares(left, right, address), use)),
  )

export const openAs = (
  role: ShareRole,
  sealed: SealedShare,
  wallet: DeviceWallet,
  released: OpenReleased,
  digest?: string,
) =>
  withSecret(released(sealed, { ...wallet, role }, digest), (bytes) =>
    decodeShare(bytes, { ...wallet, role }),
  )

export async function withShare<T>(share: Promise<Share>, use: (share: Share) => T | Promise<T>): Promise<T> {
  const opened = await share
  return withSecret(opened.y, () => use(opened))
}
