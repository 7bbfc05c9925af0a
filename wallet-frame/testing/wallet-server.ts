/**
 * The wallet routes of the server, for tests of this package: real sealing, one place a user, compare-and-set,
 * tokens for one purpose and step, answers replayed by request id. It answers Requests, so that a test can put it
 * behind `fetch` or a real socket.
 */
import { fromWire, product, toWire, type UserRecord } from '@latchkey/protocol'
import { apiPrefix, type CommittedWallet, mfaRoutes, type Route, walletRoutes } from '@latchkey/protocol/api'
import {
  type SealedShare,
  type ShareRole,
  walletProofDigest,
  walletPurposes,
} from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import type { Hex } from 'viem'
import { recoverAddress } from 'viem/utils'
import { mfaServer } from './mfa-server.ts'
import { sealingServer, sealToVault } from './sealing-server.ts'
import type { WalletTokenClaims } from './wallet-token.ts'

type Row = {
  readonly walletId: string
  committed?: CommittedWallet & {
    readonly auth: Uint8Array<ArrayBuffer>
    readonly recovery: Uint8Array<ArrayBuffer>
  }
}
type Commit = {
  readonly walletId: string
  readonly generation: number
  readonly address: string
  readonly authShare: SealedShare
  readonly recoveryShare: SealedShare
  readonly proof: string
}

export type { WalletTokenClaims } from './wallet-token.ts'
export type WalletServer = Awaited<ReturnType<typeof walletServer>>

const routes: readonly Route[] = [...Object.values(walletRoutes), ...Object.values(mfaRoutes)]
const line = { kind: 'entropy', chain: 'ethereum', generation: 1 } as const

export async function walletServer(appId: string) {
  const sealing = await sealingServer()
  const rows = new Map<string, Row>()
  const replays = new Map<string, { status: number; body: unknown }>()
  /** Steps for which shares were released: a token is good for one release. */
  const released = new Set<string>()
  const asked: { readonly path: string; readonly headers: Headers; readonly body: unknown }[] = []
  const mfa = mfaServer()
  let tokens = 0
  let intercept: (path: string) => Response | 'drop the answer' | undefined = () => undefined

  const rowOf = (userId: string) => {
    const row = rows.get(userId) ?? { walletId: `wallet_${userId}` }
    rows.set(userId, row)
    return row
  }

  async function commit(userId: string, body: Commit) {
    const row = rowOf(userId)
    const { walletId, generation, address } = body
    const wallet = { appId, userId, ...line, walletId, generation, address }
    const auth = await sealing.open(body.authShare, { ...wallet, role: 'auth' })
    const recovery = await sealing.open(body.recoveryShare, { ...wallet, role: 'recovery' })
    const hash = await walletProofDigest(wallet)
    const prover = await recoverAddress({ hash, signature: body.proof as Hex })
    if (prover !== address || walletId !== row.walletId) return failure(400, 'invalid_data')
    row.committed ??= {
      status: 'committed',
      userId,
      ...line,
      walletId,
      generation,
      address,
      recoveryMethod: 'latchkey',
      auth,
      recovery,
    }
    return { status: 200, body: { wallet: plain(row.committed), user: userWith(row.committed) } }
  }

  async function release(claims: WalletTokenClaims, mfaToken: string | undefined) {
    const { sub, publicKey, operation, purpose } = claims
    const wallet = rows.get(sub)?.committed
    if (!wallet) return failure(404, 'embedded_wallet_not_found')
    const unverified = mfa.use(claims, mfaToken)
    if (unverified) return unverified
    const stepDone = `${operation.id}:${operation.step}`
    if (released.has(stepDone)) return failure(401, 'missing_or_invalid_token')
    released.add(stepDone)
    const seal = async (role: 'auth' | 'recovery') => {
      const roles: readonly ShareRole[] = walletPurposes[purpose].releases
      if (!roles.includes(role)) return null
      return sealToVault(publicKey, wallet[role], { ...wallet, appId, role }, operation)
    }
    const [authShare, recoveryShare] = [await seal('auth'), await seal('recovery')]
    return { status: 200, body: { wallet: plain(wallet), authShare, recoveryShare } }
  }

  async function answer(route: Route | undefined, token: string, body: unknown) {
    const claims = claimsOf(token)
    if (!claims || !route) return failure(401, 'missing_or_invalid_token')
    if (!route.purposes?.includes(claims.purpose)) return failure(403, 'insufficient_scope')
    const { walletId, committed } = rowOf(claims.sub)
    switch (route.path) {
      case walletRoutes.walletStatus.path:
        if (!committed) return failure(404, 'embedded_wallet_not_found')
        return { status: 200, body: { wallet: plain(committed) } }
      case walletRoutes.beginWallet.path: {
        const pending = { status: 'pending', walletId, userId: claims.sub, ...line, sealingKey: sealing.key }
        return { status: 200, body: committed ? plain(committed) : pending }
      }
      case walletRoutes.commitWallet.path:
        return commit(claims.sub, body as Commit)
      case walletRoutes.releaseShares.path:
        return release(claims, (body as { readonly mfaToken?: string }).mfaToken)
      default:
        return mfa.answer(route, claims, body) ?? failure(404, 'not_found')
    }
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
    return Response.json(wire, { status: given.status })
  }

  return {
    serve,
    asked,
    mfa,
    /** In the form of the real one, each a text of its own; nobody here checks a signature. */
    tokenFor: (claims: WalletTokenClaims) =>
      ['header', Buffer.from(JSON.stringify(claims)).toString('base64url'), String(++tokens)].join('.'),
    walletOf: (userId: string) => rows.get(userId)?.committed,
    /** What happens to the next requests instead; undefined lets one through. */
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

const userWith = ({ userId, address }: CommittedWallet): UserRecord => ({
  id: userId,
  createdAt: 1,
  linkedAccounts: [
    {
      type: 'wallet',
      address,
      chainType: 'ethereum',
      walletClient: 'latchkey',
      verifiedAt: 1,
      firstVerifiedAt: 1,
      latestVerifiedAt: 1,
    },
  ],
  mfaMethods: [],
  hasAcceptedTerms: true,
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
  recoveryMethod,
}: CommittedWallet) => ({
  status,
  walletId,
  userId,
  kind,
  chain,
  generation,
  address,
  recoveryMethod,
})
