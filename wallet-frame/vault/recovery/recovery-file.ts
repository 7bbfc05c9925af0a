/**
 * The file that a user keeps in their own cloud: a random key, and which wallet and generation it is of. It opens
 * nothing by itself. What it opens lies at the server, and comes sealed to a vault.
 *
 * It is text on its way to the cloud and back, so it can not be zeroed; the page that carries it sees it.
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

/** Why a file is of no use. A closed set: `details.reason` of the error is one of these. */
type FileRefusal = 'file_malformed' | 'file_of_another_wallet'

export async function newRecoveryFile(wallet: DeviceWallet): Promise<{
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
    return { text: JSON.stringify(file), key: await keyOf(bytes) }
  })
}

export async function keyInFile(text: string, wallet: DeviceWallet): Promise<CryptoKey> {
  const file = fileIn(text)
  if (file.app !== wallet.appId || file.wallet !== wallet.walletId || file.generation !== wallet.generation) {
    throw refuseFile('file_of_another_wallet')
  }
  return withSecret(new Uint8Array(base64urlnopad.decode(file.key)), keyOf)
}

function fileIn(text: string): RecoveryFile {
  try {
    return v.parse(fileSchema, JSON.parse(text))
  } catch (error) {
    throw refuseFile('file_malformed', error)
  }
}

const keyOf = (bytes: SecretBytes) =>
  crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt'])

const refuseFile = (reason: FileRefusal, cause?: unknown) =>
  new LatchkeyError('error', 'The recovery file does not open this wallet', { details: { reason }, cause })
