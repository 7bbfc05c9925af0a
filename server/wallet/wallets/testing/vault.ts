/** A vault for tests: creates wallets, seals their shares to the server and opens sealed shares. */
import { sign as ed25519Sign, generateKeyPairSync, randomBytes } from 'node:crypto'
import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core'
import type { ChainType } from '@latchkey/protocol'
import {
  type CloudRecovery,
  canonicalReleaseContext,
  canonicalShareContext,
  type KeyEnvelope,
  type OperationStep,
  type OwnRecovery,
  type PasswordEnvelope,
  type SealedShare,
  type ServerSealingKey,
  type ShareContext,
  type ShareRole,
  type StoredRecoveryShare,
  sealingInfo,
  type WalletLine,
  type WalletPurpose,
  walletProofBytes,
} from '@latchkey/protocol/wallet'
import { base58 } from '@scure/base'
import { generatePrivateKey, privateKeyToAccount, sign } from 'viem/accounts'
import { sha256, toHex } from 'viem/utils'
import type { ReshareInput } from '../reshare/reshare.ts'
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
  v: number
  kind: number
  chain: number
  role: number
  x: number
  length: number
}

/** Writes a share like the vault, one byte per field, with a wrong field on demand. */
export function wrappedShare(
  { walletId, generation, kind: ofKind, chain: ofChain }: WalletLine,
  role: ShareRole,
  changes: Partial<Head> & { y?: Uint8Array } = {},
): Uint8Array {
  const {
    y = randomBytes(ofKind === 'entropy' ? 16 : 32),
    v = 1,
    kind = ofKind === 'entropy' ? 1 : 2,
    chain = ofChain === 'solana' ? 2 : 1,
    length = y.length,
  } = changes
  const head = Buffer.alloc(11)
  head.set([v, kind, chain, changes.role ?? roleCodes[role], changes.x ?? roleCodes[role], length])
  head.writeUInt32BE(generation, 6)
  head.writeUInt8(walletId.length, 10)
  return Buffer.concat([head, Buffer.from(walletId, 'ascii'), y])
}

/** Encrypts a share like the vault, under a discarded key. */
const passwordEnvelope = (gen: number): PasswordEnvelope => ({
  v: 1,
  alg: 'A256GCM',
  kdf: 'argon2id',
  params: {
    salt: textOf(new Uint8Array(randomBytes(16)).buffer),
    memoryKib: 65_536,
    iterations: 3,
    parallelism: 1,
  },
  gen,
  nonce: randomBytes(12).toString('base64url'),
  ct: randomBytes(40).toString('base64url'),
})

const keyEnvelope = (gen: number): KeyEnvelope => {
  const { kdf: _kdf, params: _params, ...sealed } = passwordEnvelope(gen)
  return { ...sealed, kdf: 'none', params: {} }
}

type ByPassword = Extract<OwnRecovery, { method: 'user-passcode' }>

/** A key of a chain: its address, and the proof of its ownership. */
function ethereumKey() {
  const privateKey = generatePrivateKey()
  const account = privateKeyToAccount(privateKey)
  return {
    address: account.address as string,
    /** Signs the digest of a proof's bytes. */
    signProof: async (bytes: Uint8Array<ArrayBuffer>) => sign({ hash: sha256(bytes), privateKey, to: 'hex' }),
    /** A signature that a host could request from this key. */
    personalSign: (message: string | Uint8Array) =>
      account.signMessage({ message: typeof message === 'string' ? message : { raw: message } }),
  }
}
function solanaKey() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const address = base58.encode(Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'))
  const signed = (bytes: Uint8Array) => toHex(ed25519Sign(null, bytes, privateKey))
  return {
    address,
    signProof: async (bytes: Uint8Array<ArrayBuffer>) => signed(bytes),
    personalSign: async (message: string | Uint8Array) => signed(Buffer.from(message)),
  }
}

export async function testVault(chain: ChainType = 'ethereum') {
  const keyPair = await suite.kem.generateKeyPair()
  const publicKey = textOf(await suite.kem.serializePublicKey(keyPair.publicKey))
  const { address, signProof, personalSign } = chain === 'ethereum' ? ethereumKey() : solanaKey()

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

  /** The proof of a password: fixed bytes in these tests. */
  async function sealAccess(
    server: ServerSealingKey,
    access: string,
    line: WalletLine,
  ): Promise<SealedShare> {
    const recipientPublicKey = await suite.kem.deserializePublicKey(bytesOf(server.publicKey))
    const info = new TextEncoder().encode('latchkey/recovery-access/to-server/1')
    const { enc, ct } = await suite.seal(
      { recipientPublicKey, info },
      new TextEncoder().encode(access),
      canonicalShareContext({ ...line, role: 'recovery', address }),
    )
    return { v: 1, enc: textOf(enc), ct: textOf(ct) }
  }

  /** The registered wallet with its proof. */
  async function proven<Given extends { authShare: SealedShare; recovery: StoredRecoveryShare }>(
    line: WalletLine,
    given: Given,
  ): Promise<Given & { proof: string }> {
    const { authShare, recovery } = given
    return { ...given, proof: await signProof(walletProofBytes({ ...line, address, authShare, recovery })) }
  }

  return {
    publicKey,
    address,
    proven,
    seal,
    sealAccess,
    /** The shares of a new generation, under a password. */
    async reshare(line: WalletLine, server: ServerSealingKey, password: string) {
      const auth = wrappedShare(line, 'auth')
      const kept: ReshareInput & { recovery: ByPassword } = await proven(line, {
        generation: line.generation,
        sealingKeyId: server.id,
        authShare: await seal(server, auth, { ...line, role: 'auth', address }),
        recovery: {
          method: 'user-passcode',
          envelope: JSON.stringify(passwordEnvelope(line.generation)),
          access: await sealAccess(server, password, line),
        },
      })
      return { kept, auth }
    },
    /** The same, under the key in a file of the user's cloud. `change` makes it invalid. */
    async reshareByFile(
      line: WalletLine,
      server: ServerSealingKey,
      method: CloudRecovery,
      change: object = {},
    ) {
      const auth = wrappedShare(line, 'auth')
      const envelope = JSON.stringify({ ...keyEnvelope(line.generation), ...change })
      const context = { ...line, role: 'recovery', address } as const
      const kept: ReshareInput = await proven(line, {
        generation: line.generation,
        sealingKeyId: server.id,
        authShare: await seal(server, auth, { ...line, role: 'auth', address }),
        recovery: { method, envelope: await seal(server, new TextEncoder().encode(envelope), context) },
      })
      return { kept, auth, envelope }
    },
    /** The same, under a passkey's key. */
    async reshareByPasskey(
      line: WalletLine,
      server: ServerSealingKey,
      credentialId: string,
      change: object = {},
    ) {
      const envelope = JSON.stringify({
        ...keyEnvelope(line.generation),
        kdf: 'webauthn-prf',
        ...change,
      })
      const context = { ...line, role: 'recovery', address } as const
      const kept: ReshareInput = await proven(line, {
        generation: line.generation,
        sealingKeyId: server.id,
        authShare: await seal(server, wrappedShare(line, 'auth'), { ...line, role: 'auth', address }),
        recovery: {
          method: 'passkey',
          envelope: await seal(server, new TextEncoder().encode(envelope), context),
          credentialId,
        },
      })
      return { kept, envelope }
    },
    async open(
      sealed: SealedShare,
      context: ShareContext,
      operation: OperationStep,
      digest: string | null = null,
      purpose: WalletPurpose = digest === null ? 'recover' : 'sign',
    ): Promise<Buffer> {
      const info = new TextEncoder().encode(sealingInfo.toVault)
      const opened = await suite.open(
        { recipientKey: keyPair, enc: bytesOf(sealed.enc), info },
        bytesOf(sealed.ct),
        canonicalReleaseContext(context, { operation, purpose, digest }),
      )
      return Buffer.from(opened)
    },
    personalSign,
    signProof,
    proofBytes: (place: WalletLine, { authShare, recovery }: Pick<Commit, 'authShare' | 'recovery'>) =>
      walletProofBytes({ ...place, address, authShare, recovery }),
    async commit(place: WalletLine, server: ServerSealingKey) {
      const shares = { auth: wrappedShare(place, 'auth'), recovery: wrappedShare(place, 'recovery') }
      const sealed = (role: 'auth' | 'recovery') => seal(server, shares[role], { ...place, role, address })
      const commit: Commit = await proven(place, {
        walletId: place.walletId,
        generation: place.generation,
        address,
        sealingKeyId: server.id,
        authShare: await sealed('auth'),
        recovery: { method: 'latchkey', share: await sealed('recovery') },
      })
      return { commit, shares }
    },
  }
}
