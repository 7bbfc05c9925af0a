/** The call of the Admin API that tries a request against the approval rules. */
import { LatchkeyError } from '@latchkey/protocol'
import { type AdminRouteOutput, adminApprovalRoutes } from '@latchkey/protocol/admin'
import type { WalletRpcRequest } from '@latchkey/protocol/wallet'
import {
  type AdminCall,
  type AdminEndpoint,
  AdminError,
  adminRead,
} from '../../kernel/http/admin-endpoint.ts'
import { judgeRequest } from './confirmations.ts'
import { getLimit } from './rules/budgets.ts'
import { formatDollars } from './rules/cents.ts'
import { noWallet } from './tables.ts'

const route = adminApprovalRoutes.tryApproval
type Call = AdminCall<typeof route>
type Outcome = AdminRouteOutput<typeof route>

/** The wallet of a request without `from`. No rule depends on it. */
const anyWallet = '0x00000000000000000000000000000000000000aa'

async function toRequest(
  { transaction, typedData, message }: Call['body'],
  from: string,
): Promise<WalletRpcRequest> {
  if ([transaction, typedData, message].filter((each) => each !== undefined).length !== 1) {
    throw new AdminError('invalid_data', 'Send one of transaction, typed_data and message', {
      path: 'transaction',
    })
  }
  const read = await import('./reading/read-request.ts')
  if (typedData !== undefined) return read.createTypedDataRequest(from, typedData)
  if (transaction === undefined) return read.createMessageRequest(from, message ?? '')
  const { chainId, to, value = '0', data = '0x', gas = '0', maxFeePerGas = '0' } = transaction
  return read.createTransactionRequest(from, {
    chainId,
    to,
    value: BigInt(value),
    data,
    gas: BigInt(gas),
    maxFeePerGas: BigInt(maxFeePerGas),
  })
}

export const approvalEndpoints: AdminEndpoint[] = [
  adminRead(route, async ({ appId, body }, context) => {
    const app = await context.apps.find(appId)
    if (app === undefined) throw new AdminError('app_not_found', `There is no app ${appId}`)
    const { from = anyWallet, place = 'frame' } = body
    try {
      const { decide } = await judgeRequest(context, app, {
        request: await toRequest(body, from),
        wallet: { id: noWallet, address: from },
        requester: undefined,
        place,
      })
      const { cents, counts_as: countsAs, ...verdict } = await decide()
      const limits = (countsAs?.split(' ') ?? []).flatMap((name) => {
        const limit = getLimit(app.approvals, name)
        return limit ? [{ name, ...limit }] : []
      })
      const usd = cents === null ? null : formatDollars(cents)
      return { output: { ...verdict, refusal: null, usd, limits } satisfies Outcome }
    } catch (error) {
      if (!(error instanceof LatchkeyError)) throw error
      const refusal = { code: error.code, message: error.message }
      return { output: { place: 'refused', reason: null, refusal, usd: null, limits: [] } satisfies Outcome }
    }
  }),
]
