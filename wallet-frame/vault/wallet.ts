/**
 * What the vault does with a wallet. Nothing decrypted outlives its call: each one opens what it needs, compares
 * the derived address with the pinned one before any use, and zeroes what it opened.
 *
 * The signal says that nobody waits any more: what was not written or signed by then is not.
 */
import {
  type OwnRecovery,
  type SealedShare,
  type ServerSealingKey,
  type ShareContext,
  type StoredRecoveryShare,
  secretBytes,
} from '@latchkey/protocol/wallet'
import type { InferOutput } from 'valibot'
import type { VaultOutput } from './contract.ts'
import type { DeviceStore, DeviceWallet } from './device/store.ts'
import { derivationOf } from './keys/derivation.ts'
import { type SecretBytes, wipe, withSecret } from './keys/secret-bytes.ts'
import { openAs, withShare, withWalletSecret } from './opening.ts'
import type { OpenReleased, SealedInputs } from './operations/operations.ts'
import { passkeyKey } from './recovery/passkey.ts'
import { type PasswordHash, passwordKeys } from './recovery/password.ts'
import { keyInFile } from './recovery/recovery-file.ts'
import type { StoreRecovery } from './recovery/recovery-storage.ts'
import type { VaultInputs } from './requests.ts'
import { envelopeIn, openEnvelope } from './shares/envelope.ts'
import { sealAccessToServer, sealToOtherVault, sealToServer } from './shares/sealing.ts'
import { combineShares, shareFor, splitSecret } from './shares/shamir.ts'
import { decodeShare, encodeShare, refuseShare, type Share } from './shares/share.ts'
import { signableOf } from './signing/index.ts'

export type Parsed<Name extends keyof VaultInputs> = InferOutput<VaultInputs[Name]>

export async function create(
  secret: SecretBytes,
  { line, serverKey }: Parsed<'create'>,
  storeRecovery: StoreRecovery,
  store: DeviceStore,
  signal: AbortSignal,
): Promise<VaultOutput<'create'>> {
  const { addressOf } = derivationOf(line)
  if (secret.length !== secretBytes[line.kind]) throw refuseShare('wrong_length')
  const address = await addressOf(secret)
  if (address === undefined) throw refuseShare('wrong_address')
  const wallet: DeviceWallet = { ...line, address }
  const created = await split(secret, wallet, { serverKey, storeRecovery, store, signal })
  return { address: wallet.address, ...created }
}

/**
 * A new generation: another line through the same secret, so that nothing of the old one opens anything together
 * with something of the new one. The old shares stay where they are.
 */
export async function reshare(
  { wallet, generation, serverKey, auth: sealedAuth }: Parsed<'reshare'>,
  released: OpenReleased,
  storeRecovery: StoreRecovery<OwnRecovery>,
  store: DeviceStore,
  signal: AbortSignal,
): Promise<VaultOutput<'reshare'>> {
  return withWalletSecret(wallet, sealedAuth, released, store, (secret) =>
    split(secret, { ...wallet, generation }, { serverKey, storeRecovery, store, signal }),
  )
}

/** What the server has kept of a new generation opens, together with what this device has. */
export async function confirm(
  { wallet, auth: sealedAuth }: Pick<Parsed<'confirm'>, 'wallet' | 'auth'>,
  openRecovery: OpenRecovery,
  released: OpenReleased,
  store: DeviceStore,
): Promise<VaultOutput<'confirm'>> {
  const { address } = wallet
  const opens = (left: Share, right: Share) =>
    withSecret(combineShares(left, right, address), () => undefined)
  return withShare(store.readBack(wallet), (device) =>
    withShare(openAs('auth', sealedAuth, wallet, released), (auth) =>
      withShare(openRecovery(), async (recovery) => {
        await opens(device, auth)
        await opens(auth, recovery)
        return {}
      }),
    ),
  )
}

type Splitting<Stored extends StoredRecoveryShare> = {
  serverKey: ServerSealingKey
  storeRecovery: StoreRecovery<Stored>
  store: DeviceStore
  signal: AbortSignal
}

/** Three shares of a secret: the device's is pending on the disk, the others leave in the form that keeps them. */
async function split<Stored extends StoredRecoveryShare>(
  secret: SecretBytes,
  wallet: DeviceWallet,
  { serverKey, storeRecovery, store, signal }: Splitting<Stored>,
) {
  const shares = await splitSecret(secret, wallet)
  try {
    // Each pair is one way back to the wallet; all are tried while the secret is still here.
    for (const [left, right] of [
      [shares.auth, shares.recovery],
      [shares.device, shares.recovery],
    ] as const) {
      await withSecret(combineShares(left, right, wallet.address), () => undefined)
    }
    const auth = await withSecret(encodeShare(shares.auth), (bytes) =>
      sealToServer(serverKey, bytes, { ...wallet, role: 'auth' }),
    )
    const recovery = await storeRecovery(shares.recovery, wallet, serverKey)
    signal.throwIfAborted()
    await storePending(store, shares.device, shares.auth, wallet)
    const { privateKey, prove } = derivationOf(wallet)
    const proof = await withSecret(privateKey(secret), (key) =>
      prove({ ...wallet, authShare: auth, recovery }, key),
    )
    return { auth, recovery, proof }
  } finally {
    wipe(shares.device.y, shares.auth.y, shares.recovery.y)
  }
}

/**
 * This device's share, for the vault of the window in which its user sees the key: that stands in a storage of its own,
 * where no share is. It opens there for this step of an export, together with what the server released for it.
 */
export const sealForExport = (
  { wallet, operation, vaultKey }: Parsed<'sealForExport'>,
  store: DeviceStore,
): Promise<VaultOutput<'sealForExport'>> =>
  withShare(store.read(wallet), async (share) => ({
    device: await withSecret(encodeShare(share), (bytes) =>
      sealToOtherVault(
        vaultKey,
        bytes,
        { ...wallet, role: 'device' },
        { operation, purpose: 'export', digest: null },
      ),
    ),
  }))

export async function adopt({ wallet }: Parsed<'adopt'>, store: DeviceStore): Promise<VaultOutput<'adopt'>> {
  await withShare(store.read(wallet), () => undefined)
  return { address: wallet.address }
}

export function recover(
  { wallet, auth, recovery, file }: Parsed<'recover'>,
  released: OpenReleased,
  store: DeviceStore,
  signal: AbortSignal,
): Promise<VaultOutput<'recover'>> {
  return recoverFrom(
    openAs('auth', auth, wallet, released),
    file === undefined
      ? () => openAs('recovery', recovery, wallet, released)
      : byFile(file, recovery, wallet, released),
    { wallet, store, signal },
  )
}

/** The password itself, as two keys: one shows to the server that somebody knows it, the other one stays here. */
export async function unlock(
  { wallet, params, serverKey }: Parsed<'unlock'>,
  password: Promise<SecretBytes>,
  onKey: (key: CryptoKey) => void,
  hash?: PasswordHash,
): Promise<VaultOutput<'unlock'>> {
  const context: ShareContext = { ...wallet, role: 'recovery' }
  const keys = await withSecret(password, (bytes) => passwordKeys(bytes, params, context, hash))
  const access = await withSecret(keys.access, (bytes) => {
    onKey(keys.encryption)
    return sealAccessToServer(serverKey, bytes, context)
  })
  return { access }
}

/** Recovers the wallet with the key that `unlock` stored. */
export const recoverUnlocked = (
  { wallet, auth, recoveryEnvelope }: Parsed<'recoverUnlocked'>,
  { openReleased, storedKey }: Pick<SealedInputs, 'openReleased' | 'storedKey'>,
  store: DeviceStore,
  signal: AbortSignal,
): Promise<VaultOutput<'recoverUnlocked'>> =>
  recoverFrom(openAs('auth', auth, wallet, openReleased), byKey(storedKey, recoveryEnvelope, wallet), {
    wallet,
    store,
    signal,
  })

/** Recovers the wallet with a key derived from the secret of a passkey. */
export async function recoverByPasskey(
  { wallet, secret, auth, recovery }: Parsed<'recoverByPasskey'>,
  { openReleased, openPasskey }: Pick<SealedInputs, 'openReleased' | 'openPasskey'>,
  store: DeviceStore,
  signal: AbortSignal,
): Promise<VaultOutput<'recoverByPasskey'>> {
  const key = await passkeyKey(openPasskey(secret), { ...wallet, role: 'recovery' })
  const openRecovery = bySealed(() => key, recovery, wallet, openReleased)
  return recoverFrom(openAs('auth', auth, wallet, openReleased), openRecovery, { wallet, store, signal })
}

type Recovering = Pick<Splitting<never>, 'store' | 'signal'> & { wallet: DeviceWallet }

function recoverFrom(
  auth: Promise<Share>,
  openRecovery: OpenRecovery,
  { wallet, store, signal }: Recovering,
): Promise<{ address: string }> {
  const { address } = wallet
  return withShare(auth, (auth) =>
    withShare(openRecovery(), async (recovery) => {
      await withSecret(combineShares(auth, recovery, address), () => undefined)
      signal.throwIfAborted()
      await withShare(shareFor('device', auth, recovery), (device) =>
        storePending(store, device, auth, wallet),
      )
      await store.promote(wallet)
      return { address }
    }),
  )
}

export async function sign(
  { wallet, auth: sealedAuth, request }: Parsed<'sign'>,
  released: OpenReleased,
  store: DeviceStore,
  signal: AbortSignal,
): Promise<VaultOutput<'sign'>> {
  const { address } = wallet
  const signable = signableOf(request, address)
  return withWalletSecret(
    wallet,
    sealedAuth,
    released,
    store,
    (secret) =>
      withSecret(derivationOf(wallet).privateKey(secret), (key) => {
        signal.throwIfAborted()
        return { address, data: signable.sign(key) }
      }),
    signable.digest,
  )
}

/** Written, read back, and tried together with another share: only then is a device share worth something. */
async function storePending(
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

/** Opens the recovery share as its method kept it. */
export type OpenRecovery = () => Promise<Share>

export const byKey =
  (findKey: () => CryptoKey | Promise<CryptoKey>, envelope: string, wallet: DeviceWallet): OpenRecovery =>
  async () => {
    const context: ShareContext = { ...wallet, role: 'recovery' }
    return withSecret(openEnvelope(await findKey(), envelopeIn(envelope), context), (bytes) =>
      decodeShare(bytes, context),
    )
  }

/** What the key opens comes sealed, so that whoever had the key has it alone. */
export const bySealed =
  (
    findKey: () => CryptoKey | Promise<CryptoKey>,
    sealed: SealedShare,
    wallet: DeviceWallet,
    released: OpenReleased,
  ): OpenRecovery =>
  async () => {
    const bytes = await released(sealed, { ...wallet, role: 'recovery' })
    return byKey(findKey, new TextDecoder().decode(bytes), wallet)()
  }

/** The file has the key. */
export const byFile = (
  file: string,
  sealed: SealedShare,
  wallet: DeviceWallet,
  released: OpenReleased,
): OpenRecovery => bySealed(() => keyInFile(file, wallet), sealed, wallet, released)
