/**
 * The file that a user stores in their own cloud: a random key and the wallet and generation that it belongs
 * to. The file opens nothing alone. The server stores the envelope that it opens, and seals that to a vault.
 *
 * The file travels as text and cannot be zeroed; the page that transports it can read it.
 */
import { appId, base64url, id, LatchkeyError } from '@latchkey/protocol'
import { base64urlnopad } from '@scure/base'
import * as v from 'valibot'
import type { DeviceWallet } from '../device/store.ts'
import { type SecretBytes, withSecret } from '../keys/secret-bytes.ts'

const KEY_BYTES = 32

const fileSchema = v.strictObject({
  v: v.literal(1),
  app: appId,
  wallet: id,
  generation: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  key: v.pipe(base64url, v.length(43)),
})
type RecoveryFile = v.InferOutput<typeof fileSchema>

/** Reasons for which a file is refused. A closed set: `details.reason` of the error is one of these. */
type FileRefusal = 'file_malformed' | 'file_of_another_wallet'

export async function createRecoveryFile(wallet: DeviceWallet): Promise<{
  text: string
  key: CryptoKey
}> {
  return withSecret(crypto.getRandomValues(new Uint8Array(KEY_BYTES)), async (bytes) => {
    const file: RecoveryFile = {
      v: 1,
      app: wallet.appId,
      wallet: wallet.walletId,
      generation: wallet.generation,
      key: base64urlnopad.encode(bytes),
    }
    return { text: JSON.stringify(file), key: await importKey(bytes) }
  })
}

export async function readFileKey(text: string, wallet: DeviceWallet): Promise<CryptoKey> {
  const file = parseFile(text)
  if (file.app !== wallet.appId || file.wallet !== wallet.walletId || file.generation !== wallet.generation) {
    throw refuseFile('file_of_another_wallet')
  }
  return withSecret(new Uint8Array(base64urlnopad.decode(file.key)), importKey)
}

function parseFile(text: string): RecoveryFile {
  try {
    return v.parse(fileSchema, JSON.parse(text))
  } catch (error) {
    throw refuseFile('file_malformed', error)
  }
}

const importKey = (bytes: SecretBytes) =>
  crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt'])

const refuseFile = (reason: FileRefusal, cause?: unknown) =>
  new LatchkeyError('error', 'The recovery file does not open this wallet', { details: { reason }, cause })
