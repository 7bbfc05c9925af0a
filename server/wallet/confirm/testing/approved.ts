/** Inserts a confirmation that the session's device approved, for tests of the step that consumes it. */
import type { AccountAction } from '@latchkey/protocol/wallet'
import type { DialogToken, ServerContext, WalletStep, WalletToken } from '../../../kernel/context.ts'
import { type App, nowSeconds } from '../../../kernel/ports.ts'
import { getConfirmationId, putConfirmation } from '../confirmations.ts'
import { decide } from '../store.ts'
import { newHandle } from './confirming.ts'

export async function approveAction(
  context: ServerContext,
  app: App,
  caller: Omit<WalletToken, 'step' | 'scope'>,
  action: AccountAction,
): Promise<WalletStep['confirmed']> {
  const handle = newHandle()
  const dialog: DialogToken = { ...caller, scope: 'dialog', device: null }
  const put = { handle, address: null, request: action, origin: null, place: 'page' } as const
  const { digest } = await putConfirmation(context, app, dialog, put)
  const now = nowSeconds(context.clock)
  const confirmation = getConfirmationId(handle)
  const decision = { id: confirmation, app_id: caller.appId, digest, state: 'approved' } as const
  await decide(context.db, { ...decision, expiresAt: now + 60 }, now)
  return { confirmation, digest }
}
