import { activityRoutes, confirmPageRoutes, confirmRoutes } from '@latchkey/protocol/api'
import type { Capability } from '../../kernel/capability.ts'
import { type Endpoint, endpoint, replayedEndpoint } from '../../kernel/http/endpoint.ts'
import { askLimits } from '../../kernel/limits.ts'
import { getActivity } from './activity.ts'
import { approvalEndpoints } from './admin-calls.ts'
import type { OrderedCode } from './code/code.ts'
import {
  confirmationStatus,
  decideConfirmation,
  orderCodeFor,
  putConfirmation,
  readConfirmation,
  sendCodeFor,
} from './confirmations.ts'
import { confirmServerLimits } from './limits.ts'
import { confirmationMigrations } from './tables.ts'

const confirmEndpoints: readonly Endpoint[] = [
  endpoint(confirmRoutes.putConfirmation, ({ app, caller, body }, context) =>
    putConfirmation(context, app, caller, body),
  ),
  endpoint(confirmRoutes.confirmationStatus, ({ caller, body }, context) =>
    confirmationStatus(context, caller, body.handle),
  ),
  endpoint(confirmPageRoutes.readConfirmation, ({ app, body }, context) =>
    readConfirmation(context, app, body.handle),
  ),
  replayedEndpoint(confirmPageRoutes.sendConfirmationCode, {
    reserve: (trx, { app, body, address }, context, previous: OrderedCode | undefined) =>
      orderCodeFor(trx, context, app, body.handle, { address }, previous),
    ask: {
      repeatable: true,
      deadlineMs: askLimits.mailDeadlineMs,
      run: (ordered, call, context) => sendCodeFor(context, call, call.body.handle, ordered),
    },
    decide: async (_trx, _call, _context, { answer }) => answer,
    render: (sent) => sent,
  }),
  endpoint(confirmPageRoutes.decideConfirmation, ({ app, body, address }, context) =>
    decideConfirmation(context, app, body, { address }),
  ),
  endpoint(activityRoutes.activity, ({ caller, query }, context) =>
    getActivity(context, caller, query.before),
  ),
]

/** Parses, evaluates and counts each signature request before a share is released for it. */
export const confirm: Capability = {
  name: 'confirm',
  endpoints: confirmEndpoints,
  adminEndpoints: approvalEndpoints,
  settings: [
    'frameApprovalsUsdPerDay',
    'frameApprovalsUsdPerDayUnseen',
    'frameMessagesPerDay',
    'cardCalls',
    'cardTypedData',
    'noPrompt',
    'enforceWalletUis',
  ],
  migrations: confirmationMigrations,
  userRows: [
    { table: 'wallet_spending', goes: 'with the account', by: ['user_id'] },
    { table: 'confirmations', goes: 'with the account', by: ['user_id'] },
  ],
  restored: { drops: ['confirmations'] },
  expiryRules: [
    {
      table: 'confirmations',
      key: ['id'],
      column: 'expires_at',
      retentionSeconds: confirmServerLimits.keptSeconds,
    },
    { table: 'wallet_spending', key: ['confirmation_id'], column: 'expires_at', retentionSeconds: 0 },
  ],
}
