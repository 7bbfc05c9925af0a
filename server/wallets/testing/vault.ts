/** A vault for tests: it makes a wallet, seals its shares to the server and opens what is sealed to it. */
import { randomBytes } from 'node:crypto'
import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core'
import {
  canonicalShareContext,
  type SealedShare,
  type ServerSealingKey,
  type ShareContext,
  type ShareRole,
  sealingInfo,
  walletProofText,
} from '@latchkey/protocol'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Commit } from '../wallets.ts'

const suite = new CipherSuite({
  kem: new DhkemP256HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
})
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))
const textOf = (bytes: ArrayBuffer) => Buffer.from(bytes).toString('base64url')
const roleCodes = { device: 1, auth: 2, recovery: 3 } as const

export type Place = {
  readonly appId: string
  readonly userId: string
  readonly walletId: string
  readonly generation: number
}

/** As the vault writes it, with any field written wrongly on demand. */
export function wrappedShare(
  { walletId, generation }: Place,
  role: ShareRole,
  changes: { readonly v?: number; readonly role?: number; readonly x?: number; readonly y?: Uint8Array } = {},
): Uint8Array {
  const y = changes.y ?? randomBytes(16)
  const header = Buffer.alloc(9)
  header.set([changes.v ?? 1, changes.role ?? roleCodes[role], changes.x ?? roleCodes[role], y.length])
  header.writeUInt32BE(generation, 4)
  header.writeUInt8(walletId.length, 8)
  return Buffer.concat([header, Buffer.from(walletId, 'ascii'), y])
}

export async function testVault() {
  const keyPair = await suite.kem.generateKeyPair()
  const publicKey = textOf(await suite.kem.serializePublicKey(keyPair.publicKey))
  const account = privateKeyToAccount(generatePrivateKey())
  const { address } = account

  const seal = async (
    server: ServerSealingKey,
    share: Uint8Array,
    context: ShareContext,
  ): Promise<SealedShare> => {
    const recipientPublicKey = await suite.kem.deserializePublicKey(bytesOf(server.publicKey))
    const info = new TextEncoder().encode(sealingInfo.toServer)
    const { enc, ct } = await suite.seal(
      { recipientPublicKey, info },
      new Uint8Array(share),
      canonicalShareContext(context),
    )
    return { v: 1, enc: textOf(enc), ct: textOf(ct) }
  }

  return {
    publicKey,
    address,
    seal,
    async open(sealed: SealedShare, context: ShareContext): Promise<Buffer> {
      const info = new TextEncoder().encode(sealingInfo.toVault)
      const opened = await suite.open(
        { recipientKey: keyPair, enc: bytesOf(sealed.enc), info },
        bytesOf(sealed.ct),
        canonicalShareContext(context),
      )
      return Buffer.from(opened)
    },
    async commit(place: Place, server: ServerSealingKey) {
      const shares = { auth: wrappedShare(place, 'auth'), recovery: wrappedShare(place, 'recovery') }
      const sealed = (role: 'auth' | 'recovery') => seal(server, shares[role], { ...place, role, address })
      const commit: Commit = {
        walletId: place.walletId,
        generation: place.generation,
        address,
        recoveryMethod: 'latchkey',
        sealingKeyId: server.id,
        authShare: await sealed('auth'),
        recoveryShare: await sealed('recovery'),
        proof: await account.signMessage({ message: walletProofText({ ...place, address }) }),
      }
      return { commit, shares }
    },
  }
}
