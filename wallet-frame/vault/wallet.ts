/**
 * What the vault does with a wallet. Nothing decrypted outlives its call: each one opens what it needs, compares
 * the derived address with the pinned one before any use, and zeroes what it opened.
 *
 * The signal says that nobody waits any more: what was not written or signed by then is not.
 */
import { type SealedShare, type ShareRole, walletProofDigest } from '@latchkey/protocol/wallet'
import type { InferOutput } from 'valibot'
import type { VaultOutput } from './contract.ts'
import { derivationOf } from './derivation.ts'
import type { DeviceStore, DeviceWallet } from './device-store.ts'
import type { OpenReleased } from './operations.ts'
import type { VaultInputs } from './requests.ts'
import { sealToServer } from './sealing.ts'
import { type SecretBytes, wipe, withSecret } from './secret-bytes.ts'
import { combineShares, shareFor, splitSecret } from './shamir.ts'
import { decodeShare, encodeShare, type Share } from './share.ts'
import { signableOf } from './signing/index.ts'
import { signDigest } from './signing/signature.ts'

export type Parsed<Name extends keyof VaultInputs> = InferOutput<VaultInputs[Name]>
/** Does the step of the call, and then opens what was released for it. */
export type TakeStep = () => OpenReleased

export async function create(
  secret: SecretBytes,
  { line, serverKey }: Parsed<'create'>,
  store: DeviceStore,
  signal: AbortSignal,
): Promise<VaultOutput<'create'>> {
  const { addressOf, privateKey } = derivationOf(line)
  const wallet: DeviceWallet = { ...line, address: await addressOf(secret) }
  const { address } = wallet
  const shares = await splitSecret(secret, line)
  try {
    // Each pair is one way back to the wallet; all are tried while the secret is still here to be thrown away.
    for (const [left, right] of [
      [shares.auth, shares.recovery],
      [shares.device, shares.recovery],
    ] as const) {
      await withSecret(combineShares(left, right, address), () => undefined)
    }
    const seal = (share: Share): Promise<SealedShare> =>
      withSecret(encodeShare(share), (bytes) =>
        sealToServer(serverKey, bytes, { ...wallet, role: share.role }),
      )
    const auth = await seal(shares.auth)
    const recovery = await seal(shares.recovery)
    signal.throwIfAborted()
    await keepPending(store, shares.device, shares.auth, wallet)
    const digest = await walletProofDigest(wallet)
    const proof = await withSecret(privateKey(secret), (key) => signDigest(digest, key))
    return { address, auth, recovery, proof }
  } finally {
    wipe(shares.device.y, shares.auth.y, shares.recovery.y)
  }
}

export async function adopt({ wallet }: Parsed<'adopt'>, store: DeviceStore): Promise<VaultOutput<'adopt'>> {
  await withShare(store.read(wallet), () => undefined)
  return { address: wallet.address }
}

export async function recover(
  { wallet, auth: sealedAuth, recovery: sealedRecovery }: Parsed<'recover'>,
  takeStep: TakeStep,
  store: DeviceStore,
  signal: AbortSignal,
): Promise<VaultOutput<'recover'>> {
  const { address } = wallet
  const released = takeStep()
  return withShare(openAs('auth', sealedAuth, wallet, released), (auth) =>
    withShare(openAs('recovery', sealedRecovery, wallet, released), async (recovery) => {
      await withSecret(combineShares(auth, recovery, address), () => undefined)
      signal.throwIfAborted()
      await withShare(shareFor('device', auth, recovery), (device) =>
        keepPending(store, device, auth, wallet),
      )
      await store.promote(wallet)
      return { address }
    }),
  )
}

export async function sign(
  { wallet, auth: sealedAuth, request }: Parsed<'sign'>,
  takeStep: TakeStep,
  store: DeviceStore,
  signal: AbortSignal,
): Promise<VaultOutput<'sign'>> {
  const { address } = wallet
  const signable = signableOf(request, address)
  return withShare(store.read(wallet), (device) =>
    withShare(openAs('auth', sealedAuth, wallet, takeStep()), (auth) =>
      withSecret(combineShares(device, auth, address), (secret) =>
        withSecret(derivationOf(wallet).privateKey(secret), (key) => {
          signal.throwIfAborted()
          return { address, data: signable.sign(key) }
        }),
      ),
    ),
  )
}

/** Written, read back, and tried together with another share: only then is a device share worth something. */
async function keepPending(
  store: DeviceStore,
  device: Share,
  other: Share,
  wallet: DeviceWallet,
): Promise<void> {
  await store.writePending(device, wallet)
  await withShare(store.readBack(wallet), (readBack) =>
    withSecret(combineShares(readBack, other, wallet.address), () => undefined),
  )
}

const openAs = (role: ShareRole, sealed: SealedShare, wallet: DeviceWallet, released: OpenReleased) =>
  withSecret(released(sealed, { ...wallet, role }), (bytes) => decodeShare(bytes, { ...wallet, role }))

async function withShare<T>(share: Promise<Share>, use: (share: Share) => T | Promise<T>): Promise<T> {
  const opened = await share
  return withSecret(opened.y, () => use(opened))
}
