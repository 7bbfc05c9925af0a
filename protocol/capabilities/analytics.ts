import * as v from 'valibot'
import { text } from '../entities/primitives.ts'
import { keepsName } from '../names/naming.ts'
import type { Routes } from '../rows/route.ts'

/** Names of the analytics events. A name outside this list is refused by the server. */
export const analyticsEventNames = [
  'sdk_initialize',
  'sdk_authenticate',
  'sdk_authenticate_siwe',
  'sdk_fiat_on_ramp_started',
  'sdk_fiat_on_ramp_completed_with_status',
  'modal_open',
  'modal_closed',
  'possible_phishing_attempt',
  'recovery_oauth_error',
  'cross_app_auth_started',
  'cross_app_auth_completed',
  'cross_app_auth_error',
  'cross_app_request_started',
  'cross_app_request_success',
  'cross_app_request_error',
  'embedded_wallet_creation_started',
  'embedded_wallet_creation_completed',
  'embedded_wallet_creation_failed',
  'embedded_wallet_creation_failure_logout',
  'embedded_wallet_pinless_recovery_started',
  'embedded_wallet_recovery_started',
  'embedded_wallet_recovery_completed',
  'embedded_wallet_set_password_failed',
  'embedded_wallet_key_export_completed',
  'embedded_wallet_set_recovery_started',
  'embedded_wallet_set_recovery_completed',
  'embedded_wallet_set_recovery_failed',
  'embedded_wallet_sign_message_started',
  'embedded_wallet_sign_message_completed',
  'embedded_wallet_sign_typed_data_started',
  'embedded_wallet_sign_typed_data_completed',
  'embedded_solana_wallet_creation_started',
  'embedded_solana_wallet_creation_completed',
  'embedded_solana_wallet_creation_failed',
  'embedded_solana_wallet_pinless_recovery_started',
  'embedded_solana_wallet_recovery_completed',
] as const

export type AnalyticsEventName = (typeof analyticsEventNames)[number]

export const analyticsRoutes = {
  analyticsEvent: {
    method: 'POST',
    path: '/analytics_events',
    auth: 'none',
    forks: true,
    effect: 'counts',
    appHeader: true,
    body: v.object({
      eventName: v.picklist(analyticsEventNames),
      clientId: v.nullable(v.pipe(text, v.regex(/^\P{Cc}*$/u))),
      payload: v.objectWithRest(
        { clientTimestamp: v.exactOptional(v.pipe(text, v.isoTimestamp(), keepsName())) },
        v.union([text, v.number(), v.boolean(), v.null()]),
      ),
    }),
    output: v.object({ success: v.literal(true) }),
  },
} as const satisfies Routes
