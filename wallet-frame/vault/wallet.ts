/**
 * The wallet operations of the vault. Decrypted data never outlives its call: each call opens what it needs,
 * compares the derived address with the pinned one before any use, and zeroes the opened bytes. The signal
 * aborts when the caller leaves; after that nothing more is written or signed.
 */
import { getChainType, isSameAddress, LatchkeyError } from '@latchkey/protocol'
import {
  type OwnRecovery,
  type SealedShare,
  type ServerSealingKey,
  type ShareContext,
  type StoredRecoveryShare,
  secretBytes,
  solanaAddressProofBytes,
  solanaAddressProofDigest,
} from '@latchkey/protocol/wallet'
import type { InferOutput } from 'valibot'
import type { VaultOutput } from './contract.ts'
import type { DeviceStore, DeviceWallet } from './device/store.ts'
import { getDerivation, signEd25519 } from './keys/derivation.ts'
import { type SecretBytes, wipe, withSecret } from './keys/secret-bytes.ts'
import { openShare, withShare, withWalletSecret } from './opening.ts'
import type { OpenReleased, SealedInputs } from './operations/operations.ts'
import { derivePasskeyKey } from './recovery/passkey.ts'
import { derivePasswordKeys, type PasswordHash } from './recovery/password.ts'
import { readFileKey } from './recovery/recovery-file.ts'
import type { StoreRecovery } from './recovery/recovery-storage.ts'
import type { VaultInputs } from './requests.ts'
import { openEnvelope, parseEnvelopeText } from './shares/envelope.ts'
import { sealAccessToServer, sealToOtherVault, sealToServer } from './shares/sealing.ts'
import { combineShares, deriveShare, splitSecret } from './shares/shamir.ts'
import { decodeShare, encodeShare, refuseShare, type Share } from './shares/share.ts'
import { anotherSigner, toSignable } from './signing/index.ts'
import { signDigest } from './signing/signature.ts'

export type Parsed<Name extends keyof VaultInputs> = InferOutput<VaultInputs[Name]>

export async function create(
  secret: SecretBytes,
  { line, serverKey }: Parsed<'create'>,
  storeRecovery: StoreRecovery,
  store: DeviceStore,
  signal: AbortSignal,
): Promise<VaultOutput<'create'>> {
  const { toAddress } = getDerivation(line)
  if (secret.length !== secretBytes[line.kind]) throw refuseShare('wrong_length')
  const address = await toAddress(secret)
  if (address === undefined) throw refuseShare('wrong_address')
  const wallet: DeviceWallet = { ...line, address }
  const created = await split(secret, wallet, { serverKey, storeRecovery, store, signal })
  return { address: wallet.address, ...created }
}

/**
 * Creates a new generation: another line through the same secret. A share of the old generation does not
 * combine with one of the new. The old shares stay in place.
 */
export async function reshare(
  { wallet, generation, serverKey, auth: sealedAuth }: Parsed<'reshare'>,
  openReleased: OpenReleased,
  storeRecovery: StoreRecovery<OwnRecovery>,
  store: DeviceStore,
  signal: AbortSignal,
): Promise<VaultOutput<'reshare'>> {
  return withWalletSecret(wallet, sealedAuth, openReleased, store, (secret) =>
    split(secret, { ...wallet, generation }, { serverKey, storeRecovery, store, signal }),
  )
}

/**
 * Verifies that the shares the server stored for a new generation open and combine with this device's share.
 */
export async function confirm(
  { wallet, auth: sealedAuth }: Pick<Parsed<'confirm'>, 'wallet' | 'auth'>,
  openRecovery: OpenRecovery,
  openReleased: OpenReleased,
  store: DeviceStore,
): Promise<VaultOutput<'confirm'>> {
  const { address } = wallet
  const testPair = (left: Share, right: Share) =>
    withSecret(combineShares(left, right, address), () => undefined)
  return withShare(store.readBack(wallet), (device) =>
    withShare(openShare('auth', sealedAuth, wallet, openReleased), (auth) =>
      withShare(openRecovery(), async (recovery) => {
        await testPair(device, auth)
        await testPair(auth, recovery)
        return {}
      }),
    ),
  )
}

type SplitOptions<Stored extends StoredRecoveryShare> = {
  serverKey: ServerSealingKey
  storeRecovery: StoreRecovery<Stored>
  store: DeviceStore
  signal: AbortSignal
}

/** Splits a secret into three shares. Stores the device share as pending, and returns the others sealed. */
async function split<Stored extends StoredRecoveryShare>(
  secret: SecretBytes,
  wallet: DeviceWallet,
  { serverKey, storeRecovery, store, signal }: SplitOptions<Stored>,
) {
  const shares = await splitSecret(secret, wallet)
  try {
    // Each pair of shares must restore the wallet; these two are tested while the secret is still available.
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
    const { deriveKey, prove } = getDerivation(wallet)
    const proof = await withSecret(deriveKey(secret), (key) =>
      prove({ ...wallet, authShare: auth, recovery }, key),
    )
    return { auth, recovery, proof }
  } finally {
    wipe(shares.device.y, shares.auth.y, shares.recovery.y)
  }
}

/**
 * Seals the device share for the vault of the export window, whose partitioned storage has no share. It opens
 * there only for this step of an export, together with the share that the server released for it.
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
  openReleased: OpenReleased,
  store: DeviceStore,
  signal: AbortSignal,
): Promise<VaultOutput<'recover'>> {
  return recoverFrom(
    openShare('auth', auth, wallet, openReleased),
    file === undefined
      ? () => openShare('recovery', recovery, wallet, openReleased)
      : openWithFile(file, recovery, wallet, openReleased),
    { wallet, store, signal },
  )
}

/**
 * Derives two keys from the password. Returns the access key sealed to the server, and passes the encryption
 * key to `onKey`.
 */
export async function unlock(
  { wallet, params, serverKey }: Parsed<'unlock'>,
  password: Promise<SecretBytes>,
  onKey: (key: CryptoKey) => void,
  hash?: PasswordHash,
): Promise<VaultOutput<'unlock'>> {
  const context: ShareContext = { ...wallet, role: 'recovery' }
  const keys = await withSecret(password, (bytes) => derivePasswordKeys(bytes, params, context, hash))
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
  recoverFrom(
    openShare('auth', auth, wallet, openReleased),
    openWithKey(storedKey, recoveryEnvelope, wallet),
    {
      wallet,
      store,
      signal,
    },
  )

/** Recovers the wallet with a key derived from the secret of a passkey. */
export async function recoverByPasskey(
  { wallet, secret, auth, recovery }: Parsed<'recoverByPasskey'>,
  { openReleased, openPasskey }: Pick<SealedInputs, 'openReleased' | 'openPasskey'>,
  store: DeviceStore,
  signal: AbortSignal,
): Promise<VaultOutput<'recoverByPasskey'>> {
  const key = await derivePasskeyKey(openPasskey(secret), { ...wallet, role: 'recovery' })
  const openRecovery = openSealedWithKey(() => key, recovery, wallet, openReleased)
  return recoverFrom(openShare('auth', auth, wallet, openReleased), openRecovery, { wallet, store, signal })
}

type RecoverOptions = Pick<SplitOptions<never>, 'store' | 'signal'> & { wallet: DeviceWallet }

function recoverFrom(
  auth: Promise<Share>,
  openRecovery: OpenRecovery,
  { wallet, store, signal }: RecoverOptions,
): Promise<{ address: string }> {
  const { address } = wallet
  return withShare(auth, (auth) =>
    withShare(openRecovery(), async (recovery) => {
      await withSecret(combineShares(auth, recovery, address), () => undefined)
      signal.throwIfAborted()
      await withShare(deriveShare('device', auth, recovery), (device) =>
        storePending(store, device, auth, wallet),
      )
      await store.promote(wallet)
      return { address }
    }),
  )
}

export async function sign(
  { wallet, auth: sealedAuth, request }: Parsed<'sign'>,
  openReleased: OpenReleased,
  store: DeviceStore,
  signal: AbortSignal,
): Promise<VaultOutput<'sign'>> {
  const signable = toSignable(request, wallet.address)
  const { signer, digest } = signable
  const isPinned = isSameAddress(signer, wallet.address)
  const address = isPinned ? wallet.address : signer
  const { deriveKey, toAddress } = getDerivation({ kind: wallet.kind, chain: getChainType(address) })
  return withWalletSecret(
    wallet,
    sealedAuth,
    openReleased,
    store,
    async (secret) => {
      if (!isPinned && (await toAddress(secret)) !== address) throw anotherSigner()
      return withSecret(deriveKey(secret), (key) => {
        signal.throwIfAborted()
        return { address, data: signable.sign(key) }
      })
    },
    digest,
  )
}

/** Derives the Solana address of an Ethereum wallet, and proves both keys over it. */
export async function proveSolanaAddress(
  { wallet, auth: sealedAuth }: Parsed<'proveSolanaAddress'>,
  openReleased: OpenReleased,
  store: DeviceStore,
  signal: AbortSignal,
): Promise<VaultOutput<'proveSolanaAddress'>> {
  const { appId, userId, walletId, kind, address } = wallet
  if (wallet.chain !== 'ethereum') {
    throw new LatchkeyError('not_supported', 'A Solana wallet derives no second address')
  }
  const solana = getDerivation({ kind, chain: 'solana' })
  return withWalletSecret(wallet, sealedAuth, openReleased, store, async (secret) => {
    const solanaAddress = await solana.toAddress(secret)
    if (solanaAddress === undefined) throw refuseShare('wrong_address')
    const claim = { appId, userId, walletId, address, solanaAddress }
    const digest = await solanaAddressProofDigest(claim)
    const proof = await withSecret(getDerivation(wallet).deriveKey(secret), (key) => signDigest(digest, key))
    const solanaProof = await withSecret(solana.deriveKey(secret), (key) =>
      signEd25519(solanaAddressProofBytes(claim), key),
    )
    signal.throwIfAborted()
    return { solanaAddress, proof, solanaProof }
  })
}

/** Writes the device share as pending, reads it back, and tests it with another share. */
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

/** Opens the recovery share as its method stored it. */
export type OpenRecovery = () => Promise<Share>

export const openWithKey =
  (getKey: () => CryptoKey | Promise<CryptoKey>, envelope: string, wallet: DeviceWallet): OpenRecovery =>
  async () => {
    const context: ShareContext = { ...wallet, role: 'recovery' }
    return withSecret(openEnvelope(await getKey(), parseEnvelopeText(envelope), context), (bytes) =>
      decodeShare(bytes, context),
    )
  }

/** Opens a recovery envelope that the server sealed to the vault, so that its key alone opens nothing. */
export const openSealedWithKey =
  (
    getKey: () => CryptoKey | Promise<CryptoKey>,
    sealed: SealedShare,
    wallet: DeviceWallet,
    openReleased: OpenReleased,
  ): OpenRecovery =>
  async () => {
    const bytes = await openReleased(sealed, { ...wallet, role: 'recovery' })
    return openWithKey(getKey, new TextDecoder().decode(bytes), wallet)()
  }

/** Opens the recovery share with the key in the file. */
export const openWithFile = (
  file: string,
  sealed: SealedShare,
  wallet: DeviceWallet,
  openReleased: OpenReleased,
): OpenRecovery => openSealedWithKey(() => readFileKey(file, wallet), sealed, wallet, openReleased)
