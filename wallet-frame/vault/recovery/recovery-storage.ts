/** Seals the recovery share of a generation in the form in which its recovery method stores it. */
import type {
  CloudRecovery,
  OwnRecovery,
  SealedShare,
  ServerSealingKey,
  ShareContext,
  StoredRecoveryShare,
} from '@latchkey/protocol/wallet'
import type { DeviceWallet } from '../device/store.ts'
import { type SecretBytes, withSecret } from '../keys/secret-bytes.ts'
import { openEnvelope, sealEnvelope, sealUnderPasskey, sealUnderPassword } from '../shares/envelope.ts'
import { sealAccessToServer, sealToServer } from '../shares/sealing.ts'
import { encodeShare, type Share } from '../shares/share.ts'
import { derivePasskeyKey } from './passkey.ts'
import { createPasswordParams, derivePasswordKeys, type PasswordHash } from './password.ts'
import { createRecoveryFile, readFileKey } from './recovery-file.ts'

/** Seals the share for its method. The server stores the result. */
export type StoreRecovery<Stored extends StoredRecoveryShare = StoredRecoveryShare> = (
  share: Share,
  wallet: DeviceWallet,
  serverKey: ServerSealingKey,
) => Promise<Stored>

export const storeOnServer: StoreRecovery = async (share, wallet, serverKey) => ({
  method: 'latchkey',
  share: await withSecret(encodeShare(share), (bytes) =>
    sealToServer(serverKey, bytes, toRecoveryContext(wallet)),
  ),
})

/** Passes the key that reopens the share to `onKey`. */
export const storeUnderPassword =
  (
    openPassword: () => Promise<SecretBytes>,
    onKey: (key: CryptoKey) => void,
    hash?: PasswordHash,
  ): StoreRecovery<OwnRecovery> =>
  async (share, wallet, serverKey) => {
    const context = toRecoveryContext(wallet)
    const params = createPasswordParams()
    const keys = await withSecret(openPassword(), (bytes) => derivePasswordKeys(bytes, params, context, hash))
    const access: SealedShare = await withSecret(keys.access, (bytes) => {
      // Throws if the operation ended meanwhile.
      onKey(keys.encryption)
      return sealAccessToServer(serverKey, bytes, context)
    })
    const envelope = await withSecret(encodeShare(share), async (bytes) => {
      const sealed = await sealUnderPassword(keys.encryption, params, bytes, context)
      // Tests that the share opens, while the other shares still exist.
      await withSecret(openEnvelope(keys.encryption, sealed, context), () => undefined)
      return sealed
    })
    return { method: 'user-passcode', envelope: JSON.stringify(envelope), access }
  }

/**
 * Passes the user's file to `onFile`. The envelope is sealed to the server, because the page has the file.
 */
export const storeUnderFile =
  (method: CloudRecovery, onFile: (text: string) => void): StoreRecovery<OwnRecovery> =>
  async (share, wallet, serverKey) => {
    const context = toRecoveryContext(wallet)
    const { text, key } = await createRecoveryFile(wallet)
    const envelope = await withSecret(encodeShare(share), (bytes) => sealEnvelope(key, bytes, context))
    // Tests that the share opens, while the other shares still exist.
    await withSecret(openEnvelope(await readFileKey(text, wallet), envelope, context), () => undefined)
    onFile(text)
    const bytes = new TextEncoder().encode(JSON.stringify(envelope))
    return { method, envelope: await sealToServer(serverKey, bytes, context) }
  }

/**
 * Passes the key that reopens the share to `onKey`. The envelope is sealed to the server, because a page had
 * the PRF output.
 */
export const storeUnderPasskey =
  (
    openSecret: () => Promise<SecretBytes>,
    credentialId: string,
    onKey: (key: CryptoKey) => void,
  ): StoreRecovery<OwnRecovery> =>
  async (share, wallet, serverKey) => {
    const context = toRecoveryContext(wallet)
    const key = await derivePasskeyKey(openSecret(), context)
    onKey(key)
    const envelope = await withSecret(encodeShare(share), (bytes) => sealUnderPasskey(key, bytes, context))
    // Tests that the share opens, while the other shares still exist.
    await withSecret(openEnvelope(key, envelope, context), () => undefined)
    const bytes = new TextEncoder().encode(JSON.stringify(envelope))
    return { method: 'passkey', envelope: await sealToServer(serverKey, bytes, context), credentialId }
  }

const toRecoveryContext = (wallet: DeviceWallet): ShareContext => ({ ...wallet, role: 'recovery' })
