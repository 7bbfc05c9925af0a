/** A vault for tests: it makes a wallet, seals its shares to the server and opens what is sealed to it. */
import { randomBytes } from 'node:crypto'
import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core'
import {
  canonicalReleaseContext,
  canonicalShareContext,
  type OperationStep,
  type SealedShare,
  type ServerSealingKey,
  type ShareContext,
  type ShareRole,
  sealingInfo,
  type WalletLine,
  walletProofBytes,
  walletProofDigest,
} from '@latchkey/protocol/wallet'
import { generatePrivateKey, privateKeyToAccount, sign } from 'viem/accounts'
import { toHex } from 'viem/utils'
import type { Commit } from '../wallets.ts'

const suite = new CipherSuite({
  kem: new DhkemP256HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
})
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))
const textOf = (bytes: ArrayBuffer) => Buffer.from(bytes).toString('base64url')
const roleCodes = { device: 1, auth: 2, recovery: 3 } as const

type Head = {
  readonly v: number
  readonly kind: number
  readonly chain: number
  readonly role: number
  readonly x: number
  readonly length: number
}

/** As the vault writes it, a byte a field, with any field written wrongly on demand. */
export function wrappedShare(
  { walletId, generation }: WalletLine,
  role: ShareRole,
  changes: Partial<Head> & { readonly y?: Uint8Array } = {},
): Uint8Array {
  const { y = randomBytes(16), v = 1, kind = 1, chain = 1, length = y.length } = changes
  const head = Buffer.alloc(11)
  head.set([v, kind, chain, changes.role ?? roleCodes[role], changes.x ?? roleCodes[role], length])
  head.writeUInt32BE(generation, 6)
  head.writeUInt8(walletId.length, 10)
  return Buffer.concat([head, Buffer.from(walletId, 'ascii'), y])
}

export async function testVault() {
  const keyPair = await suite.kem.generateKeyPair()
  const publicKey = textOf(await suite.kem.serializePublicKey(keyPair.publicKey))
  const privateKey = generatePrivateKey()
  const account = privateKeyToAccount(privateKey)
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
    async open(sealed: SealedShare, context: ShareContext, operation: OperationStep): Promise<Buffer> {
      const info = new TextEncoder().encode(sealingInfo.toVault)
      const opened = await suite.open(
        { recipientKey: keyPair, enc: bytesOf(sealed.enc), info },
        bytesOf(sealed.ct),
        canonicalReleaseContext(context, operation),
      )
      return Buffer.from(opened)
    },
    /** What a host could have had this key sign. */
    personalSign: (message: string | Uint8Array) =>
      account.signMessage({ message: typeof message === 'string' ? message : { raw: message } }),
    proofBytes: (place: WalletLine) => walletProofBytes({ ...place, address }),
    async commit(place: WalletLine, server: ServerSealingKey) {
      const shares = { auth: wrappedShare(place, 'auth'), recovery: wrappedShare(place, 'recovery') }
      const sealed = (role: 'auth' | 'recovery') => seal(server, shares[role], { ...place, role, address })
      const hash = toHex(await walletProofDigest({ ...place, address }))
      const commit: Commit = {
        walletId: place.walletId,
        generation: place.generation,
        address,
        recoveryMethod: 'latchkey',
        sealingKeyId: server.id,
        authShare: await sealed('auth'),
        recoveryShare: await sealed('recovery'),
        proof: await sign({ hash, privateKey, to: 'hex' }),
      }
      return { commit, shares }
    },
  }
}
