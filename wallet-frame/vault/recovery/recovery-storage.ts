/** The recovery share of a generation, in the form in which its method stores it. */
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
import { passkeyKey } from './passkey.ts'
import { newPasswordParams, type PasswordHash, passwordKeys } from './password.ts'
import { keyInFile, newRecoveryFile } from './recovery-file.ts'

/** Seals the share for its method; the server stores the result. */
export type StoreRecovery<Stored extends StoredRecoveryShare = StoredRecoveryShare> = (
  share: Share,
  wallet: DeviceWallet,
  serverKey: ServerSealingKey,
) => Promise<Stored>

export const storedByServer: StoreRecovery = async (share, wallet, serverKey) => ({
  method: 'latchkey',
  share: await withSecret(encodeShare(share), (bytes) => sealToServer(serverKey, bytes, contextOf(wallet))),
})

/** `onKey` is given the key that opens the share again. */
export const storedUnderPassword =
  (
    openPassword: () => Promise<SecretBytes>,
    onKey: (key: CryptoKey) => void,
    hash?: PasswordHash,
  ): StoreRecovery<OwnRecovery> =>
  async (share, wallet, serverKey) => {
    const context = contextOf(wallet)
    const params = newPasswordParams()
    const keys = await withSecret(openPassword(), (bytes) => passwordKeys(bytes, params, context, hash))
    const access: SealedShare = await withSecret(keys.access, (bytes) => {
      // Throws where the operation was ended meanwhile.
      onKey(keys.encryption)
      return sealAccessToServer(serverKey, bytes, context)
    })
    const envelope = await withSecret(encodeShare(share), async (bytes) => {
      const sealed = await sealUnderPassword(keys.encryption, params, bytes, context)
      // A share that does not open now never will.
      await withSecret(openEnvelope(keys.encryption, sealed, context), () => undefined)
      return sealed
    })
    return { method: 'user-passcode', envelope: JSON.stringify(envelope), access }
  }

/** `onFile` is given what the user is to keep. The server is given what it opens, sealed: the page has the file. */
export const storedUnderFile =
  (method: CloudRecovery, onFile: (text: string) => void): StoreRecovery<OwnRecovery> =>
  async (share, wallet, serverKey) => {
    const context = contextOf(wallet)
    const { text, key } = await newRecoveryFile(wallet)
    const envelope = await withSecret(encodeShare(share), (bytes) => sealEnvelope(key, bytes, context))
    // A share that does not open now never will.
    await withSecret(openEnvelope(await keyInFile(text, wallet), envelope, context), () => undefined)
    onFile(text)
    const bytes = new TextEncoder().encode(JSON.stringify(envelope))
    return { method, envelope: await sealToServer(serverKey, bytes, context) }
  }

/** `onKey` is given the key that opens the share again. A page had what it is made of, so the envelope goes sealed. */
export const storedUnderPasskey =
  (
    openSecret: () => Promise<SecretBytes>,
    credentialId: string,
    onKey: (key: CryptoKey) => void,
  ): StoreRecovery<OwnRecovery> =>
  async (share, wallet, serverKey) => {
    const context = contextOf(wallet)
    const key = await passkeyKey(openSecret(), context)
    onKey(key)
    const envelope = await withSecret(encodeShare(share), (bytes) => sealUnderPasskey(key, bytes, context))
    // A share that does not open now never will.
    await withSecret(openEnvelope(key, envelope, context), () => undefined)
    const bytes = new TextEncoder().encode(JSON.stringify(envelope))
    return { method: 'passkey', envelope: await sealToServer(serverKey, bytes, context), credentialId }
  }

const contextOf = (wallet: DeviceWallet): ShareContext => ({ ...wallet, role: 'recovery' })
