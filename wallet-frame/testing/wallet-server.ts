/**
 * The wallet routes of the server, for tests of this package: real sealing, one place a user, compare-and-set,
 * answers replayed by request id. It answers Requests, so that a test can put it behind `fetch` or a real socket.
 */
import {
  fromWire,
  product,
  type SealedShare,
  type ShareContext,
  toWire,
  walletProofText,
} from '@latchkey/protocol'
import { apiPrefix, type CommittedWallet, type Route, walletRoutes } from '@latchkey/protocol/api'
import * as v from 'valibot'
import { verifyMessage } from 'viem/utils'
import { sealingServer, sealToVault } from './sealing-server.ts'

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

export async function walletServer(appId: string) {
  const sealing = await sealingServer()
  const rows = new Map<string, Row>()
  const replays = new Map<string, { status: number; body: unknown }>()
  const asked: { readonly path: string; readonly headers: Headers; readonly body: unknown }[] = []
  let intercept: (path: string) => Response | 'drop the answer' | undefined = () => undefined

  const rowOf = (userId: string) => {
    const row = rows.get(userId) ?? { walletId: `wallet_${userId}` }
    rows.set(userId, row)
    return row
  }

  async function commit(userId: string, body: Commit) {
    const row = rowOf(userId)
    const { walletId, generation, address } = body
    const context = (role: ShareContext['role']) => ({ appId, userId, walletId, generation, role, address })
    const auth = await sealing.open(body.authShare, context('auth'))
    const recovery = await sealing.open(body.recoveryShare, context('recovery'))
    const message = walletProofText({ appId, userId, walletId, address })
    const proven = await verifyMessage({
      address: address as `0x${string}`,
      message,
      signature: body.proof as `0x${string}`,
    })
    if (!proven || walletId !== row.walletId) return failure(400, 'invalid_data')
    row.committed ??= {
      status: 'committed',
      userId,
      walletId,
      generation,
      address,
      recoveryMethod: 'latchkey',
      auth,
      recovery,
    }
    return { status: 200, body: plain(row.committed) }
  }

  async function release(userId: string, vaultKey: string, purpose: 'sign' | 'recover') {
    const wallet = rows.get(userId)?.committed
    if (!wallet) return failure(404, 'embedded_wallet_not_found')
    const seal = (role: 'auth' | 'recovery') =>
      sealToVault(vaultKey, wallet[role], { ...wallet, appId, role })
    const authShare = await seal('auth')
    const recoveryShare = purpose === 'recover' ? await seal('recovery') : null
    return { status: 200, body: { wallet: plain(wallet), authShare, recoveryShare } }
  }

  async function answer(path: string, token: string, body: unknown) {
    const [kind, userId = '', vaultKey = ''] = token.split(':')
    if (kind !== 'wallet') return failure(401, 'missing_or_invalid_token')
    switch (path) {
      case walletRoutes.walletStatus.path: {
        const { committed } = rowOf(userId)
        return { status: 200, body: { wallet: committed ? plain(committed) : null } }
      }
      case walletRoutes.beginWallet.path: {
        const { walletId, committed } = rowOf(userId)
        const pending = { status: 'pending', walletId, userId, generation: 1, sealingKey: sealing.key }
        return { status: 200, body: committed ? plain(committed) : pending }
      }
      case walletRoutes.commitWallet.path:
        return commit(userId, body as Commit)
      case walletRoutes.releaseShares.path:
        return release(userId, vaultKey, (body as { purpose: 'sign' | 'recover' }).purpose)
      default:
        return failure(404, 'not_found')
    }
  }

  async function serve(request: Request): Promise<Response> {
    const path = new URL(request.url).pathname.slice(apiPrefix.length)
    const route: Route | undefined = Object.values(walletRoutes).find((known) => known.path === path)
    const body = route?.body && v.parse(route.body, fromWire(route.body, await request.json()))
    asked.push({ path, headers: request.headers, body })
    const fault = intercept(path)
    if (fault instanceof Response) return fault
    const requestId = request.headers.get(product.headers.requestId)
    const token = request.headers.get('authorization')?.replace('Bearer ', '') ?? ''
    const given = (requestId !== null && replays.get(requestId)) || (await answer(path, token, body))
    if (requestId !== null) replays.set(requestId, given)
    if (fault === 'drop the answer') throw new TypeError('The connection was lost')
    const wire = route && given.status === 200 ? toWire(route.output, given.body) : given.body
    return Response.json(wire, { status: given.status })
  }

  return {
    serve,
    asked,
    tokenFor: (userId: string, vaultKey: string) => `wallet:${userId}:${vaultKey}`,
    walletOf: (userId: string) => rows.get(userId)?.committed,
    /** What happens to the next requests instead; undefined lets one through. */
    intercept: (fault: typeof intercept) => {
      intercept = fault
    },
  }
}

const failure = (status: number, code: string) => ({ status, body: { error: 'Refused', code } })
const plain = ({ status, walletId, userId, generation, address, recoveryMethod }: CommittedWallet) => ({
  status,
  walletId,
  userId,
  generation,
  address,
  recoveryMethod,
})
