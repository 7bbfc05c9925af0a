/**
 * The server's wallet routes for tests: real sealing, one wallet per user, compare-and-set, tokens for one
 * purpose and step, and responses repeated by request ID. It responds to `Request` objects, so that a test
 * can put it behind `fetch` or a real socket.
 */
import { type ChainType, fromWire, product, toWire, type UserRecord } from '@latchkey/protocol'
import {
  type Assertion,
  accountDeletionRoutes,
  apiPrefix,
  type CommittedWallet,
  farcasterSignerRoutes,
  mfaRoutes,
  type Route,
  type RouteBody,
  recoveryPasskeyRoutes,
  recoveryRoutes,
  walletRoutes,
} from '@latchkey/protocol/api'
import {
  type PendingWallet,
  type SealedShare,
  type ShareContext,
  type ShareRole,
  type StoredRecoveryShare,
  solanaAddressProofBytes,
  solanaAddressProofDigest,
  toSignerReleaseContext,
  type WalletPurpose,
  type WalletToProve,
  walletProofBytes,
  walletProofDigest,
  walletPurposes,
} from '@latchkey/protocol/wallet'
import { ed25519 } from '@noble/curves/ed25519.js'
import { hexToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import * as v from 'valibot'
import type { Hex } from 'viem'
import { recoverAddress } from 'viem/utils'
import { helloDigest } from '../digests.ts'
import { mfaServer } from './mfa-server.ts'
import { sealingServer, sealToVault } from './sealing-server.ts'
import type { WalletTokenClaims } from './wallet-token.ts'

type Bytes = Uint8Array<ArrayBuffer>
type ByPassword = { envelope: string; access: Bytes }
/** The server's shares. The envelope of a recovery file is stored as bytes, like an automatic recovery share. */
type Shares = {
  auth: Bytes
  recovery: Bytes | ByPassword
  /** The credential ID of the passkey that the server verifies before it releases a share. */
  credentialId?: string | undefined
}
type Reshare = Partial<Shares> & {
  recoveryMethod?: StoredRecoveryShare['method']
  base: number
  operationId: string
}
type Row = {
  walletId: string
  /** The chain of the wallet that was begun. This server has one wallet per user. */
  chain: ChainType
  committed?: CommittedWallet & Shares
  lastGeneration: number
  reshares: Map<number, Reshare>
  wrongPasswords: number
}
type Commit = {
  walletId: string
  generation: number
  address: string
  authShare: SealedShare
  recovery: StoredRecoveryShare
  proof: string
}

/** The proofs that a release request may carry, for each recovery method. */
type Shown = {
  mfaToken?: string
  access?: SealedAccess
  authenticatorResponse?: Assertion
}
const credentialIn = (recovery: StoredRecoveryShare) =>
  recovery.method === 'passkey' ? recovery.credentialId : undefined
type SealedAccess = { sealingKeyId: string; sealed: SealedShare }

export type { WalletTokenClaims } from './wallet-token.ts'
export type WalletServer = Awaited<ReturnType<typeof walletServer>>

const routes: readonly Route[] = [
  walletRoutes,
  recoveryRoutes,
  recoveryPasskeyRoutes,
  mfaRoutes,
  accountDeletionRoutes,
  farcasterSignerRoutes,
].flatMap((some) => Object.values(some))
/** The first generation of a wallet. Its kind depends on whether the key was imported. */
const lineOf = (purpose: WalletPurpose) =>
  ({ kind: purpose === 'import' ? 'imported-key' : 'entropy', generation: 1 }) as const

export async function walletServer(appId: string) {
  const sealing = await sealingServer()
  const rows = new Map<string, Row>()
  const replays = new Map<string, { status: number; body: unknown }>()
  /** Steps for which shares were released: a token is valid for one release. */
  const released = new Set<string>()
  let relayedFor: string | undefined
  let isOnPage = false
  const asked: { path: string; headers: Headers; body: unknown }[] = []
  const codes = new Set<string>()
  const mfa = mfaServer()
  let tokens = 0
  // biome-ignore lint/suspicious/noExplicitAny: a lie may have any form
  let rewrite: (path: string, wire: any) => unknown = (_path, wire) => wire
  let intercept: (path: string) => Response | 'drop the answer' | undefined = () => undefined

  const rowOf = (userId: string) => {
    const row: Row = rows.get(userId) ?? {
      walletId: `wallet_${userId}`,
      chain: 'ethereum',
      lastGeneration: 1,
      reshares: new Map(),
      wrongPasswords: 0,
    }
    rows.set(userId, row)
    return row
  }

  async function stored(recovery: StoredRecoveryShare, context: ShareContext): Promise<Bytes | ByPassword> {
    if (recovery.method === 'latchkey') return sealing.open(recovery.share, context)
    if (recovery.method !== 'user-passcode') return sealing.open(recovery.envelope, context)
    return {
      envelope: recovery.envelope,
      access: await sealing.open(recovery.access, context, 'accessToServer'),
    }
  }

  async function commit({ sub: userId, purpose }: WalletTokenClaims, body: Commit) {
    const row = rowOf(userId)
    const line = lineOf(purpose)
    const { walletId, generation, address } = body
    const { chain } = row
    const wallet = { appId, userId, ...line, chain, walletId, generation, address }
    const auth = await sealing.open(body.authShare, { ...wallet, role: 'auth' })
    const recovery = await stored(body.recovery, { ...wallet, role: 'recovery' })
    const proven = { ...wallet, authShare: body.authShare, recovery: body.recovery }
    const isReserved = walletId === row.walletId && generation === line.generation
    if (!isReserved || !(await isProven(proven, body.proof as Hex))) {
      return failure(400, 'invalid_data')
    }
    row.committed ??= {
      status: 'committed',
      userId,
      ...line,
      chain,
      walletId,
      generation,
      address,
      recoveryMethod: body.recovery.method,
      auth,
      recovery,
      credentialId: credentialIn(body.recovery),
    }
    return { status: 200, body: { wallet: plain(row.committed), user: userWith(row.committed) } }
  }

  async function isPassword({ recovery, ...wallet }: NonNullable<Row['committed']>, access: SealedAccess) {
    if (recovery instanceof Uint8Array) return false
    const context = { ...wallet, appId, role: 'recovery' } as const
    const opened = await sealing.open(access.sealed, context, 'accessToServer').catch(() => undefined)
    return opened !== undefined && Buffer.from(opened).equals(recovery.access)
  }

  async function release(
    claims: WalletTokenClaims,
    { mfaToken, access, authenticatorResponse: answered }: Shown,
    releasedFor?: string,
  ) {
    const { sub, publicKey, operation, purpose, digest = helloDigest } = claims
    const signed = releasedFor ?? (walletPurposes[purpose].confirmed === 'signature' ? digest : null)
    const row = rows.get(sub)
    const wallet = row?.committed
    if (!wallet) return failure(404, 'embedded_wallet_not_found')
    const isByPassword = !(wallet.recovery instanceof Uint8Array)
    if (purpose === 'recover' && isByPassword && !access) return failure(403, 'disallowed_recovery_method')
    if (purpose === 'recover' && (wallet.credentialId === undefined) !== (answered === undefined)) {
      return failure(403, 'disallowed_recovery_method')
    }
    if (answered && answered.id !== wallet.credentialId) return failure(422, 'invalid_recovery_pin')
    if (access && !(await isPassword(wallet, access))) {
      row.wrongPasswords += 1
      return failure(422, 'invalid_recovery_pin')
    }
    const unverified = mfa.use(claims, mfaToken)
    if (unverified) return unverified
    const stepDone = `${operation.id}:${operation.step}`
    if (released.has(stepDone)) return failure(401, 'missing_or_invalid_token')
    released.add(stepDone)
    const roles: readonly ShareRole[] = walletPurposes[purpose].releases
    const seal = async (role: 'auth' | 'recovery') => {
      const share = wallet[role]
      if (!roles.includes(role) || !(share instanceof Uint8Array)) return null
      return sealToVault(publicKey, share, { ...wallet, appId, role }, operation, signed, purpose)
    }
    const [authShare, recoveryShare] = [await seal('auth'), await seal('recovery')]
    const stored =
      access && 'envelope' in wallet.recovery
        ? { recoveryEnvelope: wallet.recovery.envelope }
        : { recoveryShare }
    const relayed = {
      ...(relayedFor !== undefined && { relayedFor }),
      ...(isOnPage && { approvedOnPage: true }),
    }
    return { status: 200, body: { wallet: plain(wallet), authShare, ...stored, ...relayed } }
  }

  async function addSolanaAddress(
    { sub }: WalletTokenClaims,
    { solanaAddress, proof, solanaProof }: RouteBody<typeof walletRoutes.addSolanaAddress>,
  ) {
    const { committed } = rowOf(sub)
    if (!committed) return failure(404, 'embedded_wallet_not_found')
    const claim = { ...committed, appId, solanaAddress }
    const hash = await solanaAddressProofDigest(claim)
    const key = base58.decode(solanaAddress)
    const isWhole =
      (await recoverAddress({ hash, signature: proof as Hex })) === committed.address &&
      ed25519.verify(hexToBytes(solanaProof.slice(2)), solanaAddressProofBytes(claim), key)
    if (!isWhole) return failure(422, 'invalid_data')
    committed.solanaAddress = solanaAddress
    return { status: 200, body: { wallet: plain(committed), user: userWith(committed) } }
  }

  /** Releases the auth share of the wallet from which the signer is derived. */
  async function releaseForSigner(claims: WalletTokenClaims, given: object) {
    const { hash } = given as { hash?: string }
    const { status, body } = await release(claims, given, toSignerReleaseContext(hash))
    return { status, body: { ...Object(body), keyIndex: 0 } }
  }

  async function passwordParams({ sub }: WalletTokenClaims) {
    const wallet = rows.get(sub)?.committed
    if (!wallet) return failure(404, 'embedded_wallet_not_found')
    if (wallet.recovery instanceof Uint8Array) return failure(403, 'disallowed_recovery_method')
    const { params } = JSON.parse(wallet.recovery.envelope)
    return { status: 200, body: { wallet: plain(wallet), params, sealingKey: sealing.key } }
  }

  async function beginReshare({ sub, publicKey, operation }: WalletTokenClaims) {
    const row = rowOf(sub)
    if (!row.committed) return failure(404, 'embedded_wallet_not_found')
    const generation = ++row.lastGeneration
    const { generation: base, auth } = row.committed
    row.reshares.set(generation, { base, operationId: operation.id })
    const context = { ...row.committed, appId, role: 'auth' } as const
    const authShare = await sealToVault(publicKey, auth, context, operation, null, 'set-recovery')
    const wallet = plain(row.committed)
    return { status: 200, body: { wallet, authShare, generation, sealingKey: sealing.key } }
  }

  async function keepReshare({ sub, publicKey, operation }: WalletTokenClaims, body: Commit) {
    const { committed, reshares } = rowOf(sub)
    const { generation } = body
    const mine = reshares.get(generation)
    if (!committed || mine?.operationId !== operation.id) return failure(422, 'invalid_data')
    const wallet = { ...committed, appId, generation }
    const proven = { ...wallet, authShare: body.authShare, recovery: body.recovery }
    if (!(await isProven(proven, body.proof as Hex))) return failure(422, 'invalid_data')
    const auth = await sealing.open(body.authShare, { ...wallet, role: 'auth' })
    const recovery = await stored(body.recovery, { ...wallet, role: 'recovery' })
    const { method } = body.recovery
    const credentialId = credentialIn(body.recovery)
    reshares.set(generation, { ...mine, recoveryMethod: method, auth, recovery, credentialId })
    const authShare = await sealToVault(
      publicKey,
      auth,
      { ...wallet, role: 'auth' },
      operation,
      null,
      'set-recovery',
    )
    const envelope =
      recovery instanceof Uint8Array
        ? await sealToVault(
            publicKey,
            recovery,
            { ...wallet, role: 'recovery' },
            operation,
            null,
            'set-recovery',
          )
        : recovery.envelope
    return { status: 200, body: { authShare, recovery: { method, envelope } } }
  }

  function commitReshare({ sub }: WalletTokenClaims, { generation }: { generation: number }) {
    const row = rowOf(sub)
    const mine = row.reshares.get(generation)
    const { committed } = row
    if (!committed) return failure(404, 'embedded_wallet_not_found')
    if (mine?.auth && mine.recovery && mine.base === committed.generation) {
      const { auth, recovery, recoveryMethod = 'user-passcode', credentialId } = mine
      row.committed = { ...committed, generation, recoveryMethod, auth, recovery, credentialId }
      row.reshares.clear()
    }
    const now = row.committed ?? committed
    return { status: 200, body: { wallet: plain(now), user: userWith(now) } }
  }

  /** Reserves the slot of a user without a wallet. */
  function reserve(
    userId: string,
    purpose: WalletPurpose = 'create',
    chain: ChainType = 'ethereum',
  ): PendingWallet {
    const row = rowOf(userId)
    if (chain !== row.chain) Object.assign(row, { chain, walletId: `${chain}_${userId}` })
    const own = { walletId: row.walletId, userId, ...lineOf(purpose), chain }
    return { status: 'pending', ...own, sealingKey: sealing.key }
  }

  async function answer(route: Route | undefined, token: string, body: unknown) {
    const claims = claimsOf(token)
    if (!claims || !route) return failure(401, 'missing_or_invalid_token')
    if (!route.purposes?.includes(claims.purpose)) return failure(403, 'insufficient_scope')
    const { committed } = rowOf(claims.sub)
    switch (route.path) {
      case walletRoutes.walletStatus.path:
        if (!committed) return failure(404, 'embedded_wallet_not_found')
        return { status: 200, body: { wallet: plain(committed) } }
      case walletRoutes.beginWallet.path: {
        if (committed) return { status: 200, body: plain(committed) }
        const { chainType } = body as { chainType: ChainType }
        return { status: 200, body: reserve(claims.sub, claims.purpose, chainType) }
      }
      case walletRoutes.commitWallet.path:
        return commit(claims, body as Commit)
      case walletRoutes.addSolanaAddress.path:
        return addSolanaAddress(claims, body as RouteBody<typeof walletRoutes.addSolanaAddress>)
      case walletRoutes.releaseShares.path:
      case recoveryRoutes.releaseByPassword.path:
      case recoveryPasskeyRoutes.releaseByPasskey.path:
        return release(claims, body as Shown)
      case farcasterSignerRoutes.releaseForSigner.path:
      case farcasterSignerRoutes.releaseToSignForFarcaster.path:
        return releaseForSigner(claims, Object(body))
      case farcasterSignerRoutes.initSigner.path: {
        const { ed25519PublicKey: publicKey } = body as { ed25519PublicKey: string }
        const signerApprovalUrl = 'farcaster://signer-add?token=request_1'
        return { status: 200, body: { publicKey, status: 'pending_approval', signerApprovalUrl } }
      }
      case recoveryRoutes.passwordParams.path:
        return passwordParams(claims)
      case recoveryRoutes.beginReshare.path:
        return mfa.use(claims, (body as { mfaToken?: string }).mfaToken) ?? beginReshare(claims)
      case recoveryRoutes.keepReshare.path:
        return keepReshare(claims, body as Commit)
      case recoveryRoutes.commitReshare.path:
        return commitReshare(claims, body as { generation: number })
      case accountDeletionRoutes.deleteAccount.path: {
        const refused = mfa.use(claims, (body as { mfaToken?: string }).mfaToken)
        if (!refused) rows.delete(claims.sub)
        return refused ?? { status: 200, body: { success: true } }
      }
      case recoveryRoutes.authenticateCloudRecovery.path:
        return redeemed(body as RouteBody<typeof recoveryRoutes.authenticateCloudRecovery>)
      case recoveryRoutes.icloudConfiguration.path:
        return {
          status: 200,
          body: {
            apiToken: 'container-token',
            containerIdentifier: 'iCloud.example.wallets',
            environment: 'development',
          },
        }
      default:
        return mfa.answer(route, claims, body) ?? failure(404, 'not_found')
    }
  }

  /** Each code of Google works once. */
  function redeemed({ authorizationCode }: { authorizationCode: string }) {
    if (authorizationCode === 'undefined') return failure(400, 'oauth_user_denied')
    if (codes.has(authorizationCode)) return failure(422, 'invalid_credentials')
    codes.add(authorizationCode)
    return { status: 200, body: { accessToken: 'drive-token' } }
  }

  async function serve(request: Request): Promise<Response> {
    const path = new URL(request.url).pathname.slice(apiPrefix.length)
    const route: Route | undefined = routes.find((known) => known.path === path)
    const body = route?.body && v.parse(route.body, fromWire(route.body, await request.json()))
    asked.push({ path, headers: request.headers, body })
    const fault = intercept(path)
    if (fault instanceof Response) return fault
    const requestId = request.headers.get(product.headers.requestId)
    const token = request.headers.get('authorization')?.replace('Bearer ', '') ?? ''
    const given = (requestId !== null && replays.get(requestId)) || (await answer(route, token, body))
    if (requestId !== null) replays.set(requestId, given)
    if (fault === 'drop the answer') throw new TypeError('The connection was lost')
    const wire = route && given.status === 200 ? toWire(route.output, given.body) : given.body
    return Response.json(rewrite(path, wire), { status: given.status })
  }

  return {
    serve,
    asked,
    reserve,
    mfa,
    /**
     * Creates a different token each time, in the form of the real one. This server verifies no signature.
     */
    tokenFor: (claims: WalletTokenClaims) =>
      [
        'header',
        Buffer.from(JSON.stringify({ iat: 1_800_000_000, ...claims })).toString('base64url'),
        String(++tokens),
      ].join('.'),
    walletOf: (userId: string) => rows.get(userId)?.committed,
    wrongPasswords: (userId: string) => rows.get(userId)?.wrongPasswords ?? 0,
    resharesOf: (userId: string): ReadonlyMap<number, Reshare> => rows.get(userId)?.reshares ?? new Map(),
    /** The dapp for which the user approved the following releases, if any. */
    relayFor: (url: string | undefined) => {
      relayedFor = url
    },
    /** Whether the wallet page approved the following releases. */
    approveOnPage: (approved: boolean) => {
      isOnPage = approved
    },
    /** Overrides of the server's correct responses. */
    rewrite: (lie: typeof rewrite) => {
      rewrite = lie
    },
    /** Intercepts the next requests. Undefined lets a request through. */
    intercept: (fault: typeof intercept) => {
      intercept = fault
    },
  }
}

function claimsOf(token: string): WalletTokenClaims | undefined {
  try {
    return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  } catch {
    return undefined
  }
}

async function isProven(wallet: WalletToProve, proof: Hex): Promise<boolean> {
  const { chain, address } = wallet
  if (chain === 'solana')
    return ed25519.verify(hexToBytes(proof.slice(2)), walletProofBytes(wallet), base58.decode(address))
  return (await recoverAddress({ hash: await walletProofDigest(wallet), signature: proof })) === address
}

const userWith = ({ userId, address, chain, solanaAddress }: CommittedWallet): UserRecord => ({
  id: userId,
  createdAt: 1,
  linkedAccounts: [
    toAccount(address, chain),
    ...(solanaAddress === undefined ? [] : [toAccount(solanaAddress, 'solana')]),
  ],
  mfaMethods: [],
  hasAcceptedTerms: true,
})
const toAccount = (address: string, chainType: ChainType) => ({
  type: 'wallet' as const,
  address,
  chainType,
  walletClient: 'latchkey' as const,
  verifiedAt: 1,
  firstVerifiedAt: 1,
  latestVerifiedAt: 1,
})

const failure = (status: number, code: string) => ({ status, body: { error: 'Refused', code } })
const plain = ({
  status,
  walletId,
  userId,
  kind,
  chain,
  generation,
  address,
  solanaAddress,
  recoveryMethod,
}: CommittedWallet) => ({
  status,
  walletId,
  userId,
  kind,
  chain,
  generation,
  address,
  ...(solanaAddress !== undefined && { solanaAddress }),
  recoveryMethod,
})
