/** Opens shares of a wallet and combines two of them to its secret, for the duration of one use. */
import type { SealedShare, ShareRole } from '@latchkey/protocol/wallet'
import type { DeviceStore, DeviceWallet } from './device/store.ts'
import { type SecretBytes, withSecret } from './keys/secret-bytes.ts'
import type { OpenReleased } from './operations/operations.ts'
import { combineShares } from './shares/shamir.ts'
import { decodeShare, type Share } from './shares/share.ts'

/**
 * Runs `use` with the wallet's secret, combined from the device share and the released auth share. The
 * release may bind one digest. The address of the secret is verified against the pinned one.
 */
export const withWalletSecret = <T>(
  wallet: DeviceWallet,
  sealedAuth: SealedShare,
  openReleased: OpenReleased,
  store: DeviceStore,
  use: (secret: SecretBytes) => T | Promise<T>,
  digest?: string,
): Promise<T> =>
  withCombined(
    wallet,
    store.read(wallet),
    () => openShare('auth', sealedAuth, wallet, openReleased, digest),
    use,
  )

/**
 * Opens the auth share only after the device share was found, so that a missing device share consumes
 * nothing.
 */
export const withCombined = <T>(
  { address }: DeviceWallet,
  device: Promise<Share>,
  openAuth: () => Promise<Share>,
  use: (secret: SecretBytes) => T | Promise<T>,
): Promise<T> =>
  withShare(device, (left) =>
    withShare(openAuth(), (right) => withSecret(combineShares(left, right, address), use)),
  )

export const openShare = (
  role: ShareRole,
  sealed: SealedShare,
  wallet: DeviceWallet,
  openReleased: OpenReleased,
  digest?: string,
) =>
  withSecret(openReleased(sealed, { ...wallet, role }, digest), (bytes) =>
    decodeShare(bytes, { ...wallet, role }),
  )

export async function withShare<T>(share: Promise<Share>, use: (share: Share) => T | Promise<T>): Promise<T> {
  const openedShare = await share
  return withSecret(openedShare.y, () => use(openedShare))
}
