/** The recovery share of a generation in the form that its method keeps it in. */
import type {
  CloudRecovery,
  KeptRecovery,
  OwnRecovery,
  SealedShare,
  ServerSealingKey,
  ShareContext,
} from '@latchkey/protocol/wallet'
import type { DeviceWallet } from './device-store.ts'
import { openEnvelope, sealEnvelope, sealUnderPasskey, sealUnderPassword } from './envelope.ts'
import { passkeyKey } from './passkey.ts'
import { newPasswordParams, passwordKeys } from './password.ts'
import { keyInFile, newRecoveryFile } from './recovery-file.ts'
import { sealAccessToServer, sealToServer } from './sealing.ts'
import { type SecretBytes, withSecret } from './secret-bytes.ts'
import { encodeShare, type Share } from './share.ts'

/** Gives the share away; what comes of it is for the server to keep. */
export type KeepRecovery<Kept extends KeptRecovery = KeptRecovery> = (
  share: Share,
  wallet: DeviceWallet,
  serverKey: ServerSealingKey,
) => Promise<Kept>

export const keptByServer: KeepRecovery = async (share, wallet, serverKey) => ({
  method: 'latchkey',
  share: await withSecret(encodeShare(share), (bytes) => sealToServer(serverKey, bytes, contextOf(wallet))),
})

/** `onKey` is given the key that opens the share again. */
export const keptByPassword =
  (openPassword: () => Promise<SecretBytes>, onKey: (key: CryptoKey) => void): KeepRecovery<OwnRecovery> =>
  async (share, wallet, serverKey) => {
    const context = contextOf(wallet)
    const params = newPasswordParams()
    const keys = await withSecret(openPassword(), (bytes) => passwordKeys(bytes, params, context))
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
export const keptByFile =
  (method: CloudRecovery, onFile: (text: string) => void): KeepRecovery<OwnRecovery> =>
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
export const keptByPasskey =
  (
    openGiven: () => Promise<SecretBytes>,
    credentialId: string,
    onKey: (key: CryptoKey) => void,
  ): KeepRecovery<OwnRecovery> =>
  async (share, wallet, serverKey) => {
    const context = contextOf(wallet)
    const key = await passkeyKey(openGiven(), context)
    onKey(key)
    const envelope = await withSecret(encodeShare(share), (bytes) => sealUnderPasskey(key, bytes, context))
    // A share that does not open now never will.
    await withSecret(openEnvelope(key, envelope, context), () => undefined)
    const bytes = new TextEncoder().encode(JSON.stringify(envelope))
    return { method: 'passkey', envelope: await sealToServer(serverKey, bytes, context), credentialId }
  }

const contextOf = (wallet: DeviceWallet): ShareContext => ({ ...wallet, role: 'recovery' })
