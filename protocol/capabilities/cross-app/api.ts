/**
 * At the app that uses wallets of another one (the requester). Login and linking are those of `oauth/api.ts`, with the
 * provider `latchkey:{appId}`; what is to be signed goes from the dialog to the provider itself (`provider/requests.ts`).
 */
import * as v from 'valibot'
import { crossAppConnectionSchema, crossAppProvider } from '../../entities/cross-app.ts'
import { text } from '../../entities/primitives.ts'
import { oauthTokensSchema } from '../../entities/session.ts'
import type { Routes } from '../../rows/route.ts'
import { relay } from '../../windows/relay.ts'

/** A proof (RFC 9449) by the dialog's key for the provider's token endpoint, which the server passes on. */
export const passedOnProof = v.pipe(text, v.nonEmpty())

export const crossAppRoutes = {
  crossAppConnections: {
    method: 'GET',
    path: '/apps/{appId}/cross-app/connections',
    auth: 'none',
    forks: true,
    effect: 'reads',
    appHeader: false,
    output: v.object({ connections: v.array(crossAppConnectionSchema) }),
  },
  /** The window that the dialog opened in its click goes on to the provider's page of this request. */
  openCrossAppWindow: {
    method: 'POST',
    path: '/cross-app/windows',
    auth: 'dialog',
    forks: false,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object({ relay, provider: crossAppProvider, transactUrl: text }),
    output: v.object({ success: v.literal(true) }),
  },
  refreshCrossAppTokens: {
    method: 'POST',
    path: '/cross-app/token',
    auth: 'dialog',
    forks: false,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object({
      provider: crossAppProvider,
      refreshToken: v.pipe(text, v.nonEmpty()),
      proof: passedOnProof,
    }),
    output: oauthTokensSchema,
  },
} as const satisfies Routes
