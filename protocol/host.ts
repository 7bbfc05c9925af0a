/** Boundary 1: host page and dialog. `parent` is the loader in the host page, `child` the dialog. */
import * as v from 'valibot'
import type { CallRow, Contract } from './contract.ts'
import { clientConfigSchema, loginMethods } from './entities/client-config.ts'
import { linkedAccountSchema, walletAccountSchema } from './entities/linked-account.ts'
import { epochSeconds, text } from './entities/primitives.ts'
import { mfaMethodTypes } from './entities/user.ts'
import { messageToSign, signUiSchema } from './entities/wallet-request.ts'
import { channelLimits } from './limits.ts'

const empty = v.object({})
const option = v.exactOptional

/** `User` of entities/user.ts, as it crosses to the host. */
export const hostUserSchema = v.object({
  id: text,
  createdAt: epochSeconds,
  email: option(v.object({ address: text })),
  phone: option(v.object({ number: text })),
  wallet: option(walletAccountSchema),
  farcaster: option(v.object({ fid: v.number(), signerPublicKey: option(text) })),
  linkedAccounts: v.array(linkedAccountSchema),
  mfaMethods: v.array(v.picklist(mfaMethodTypes)),
  hasAcceptedTerms: v.boolean(),
})

export const loginResultSchema = v.object({
  user: hostUserSchema,
  isNewUser: v.boolean(),
  wasAlreadyAuthenticated: v.boolean(),
  loginMethod: v.nullable(v.picklist(loginMethods)),
  loginAccount: v.nullable(linkedAccountSchema),
})
export type LoginResult = v.InferOutput<typeof loginResultSchema>

/** Where the host's own view ends: what the dialog must keep clear of. */
export const hostViewportSchema = v.object({
  heightPx: v.number(),
  offsetTopPx: v.number(),
  insets: v.object({ top: v.number(), right: v.number(), bottom: v.number(), left: v.number() }),
})
export type HostViewport = v.InferOutput<typeof hostViewportSchema>

export const hostEventSchema = v.variant('type', [
  v.object({ type: v.literal('ready'), authenticated: v.boolean() }),
  v.object({ type: v.literal('login'), user: hostUserSchema }),
  v.object({ type: v.literal('logout') }),
  v.object({ type: v.literal('user'), user: v.nullable(hostUserSchema) }),
  v.object({ type: v.literal('tokenGranted') }),
  v.object({ type: v.literal('tokenRemoved') }),
  v.object({ type: v.literal('open') }),
  v.object({ type: v.literal('close') }),
])
export type HostEvent = v.InferOutput<typeof hostEventSchema>

const call = <const Row extends Omit<CallRow, 'deadlineMs'> & { readonly deadlineMs?: number }>(
  row: Row,
) => ({
  deadlineMs: row.policy === 'needs-user' ? channelLimits.userCallDeadlineMs : channelLimits.callDeadlineMs,
  ...row,
})

export const hostContract = {
  name: 'host',
  parties: { parent: 'loader, in the host page', child: 'dialog' },
  originRule: {
    parent: 'takes messages from its own frame only, and from the exact origin of the dialog URL',
    child:
      'takes messages from its parent window only, and from the exact origin that the server checked against the list of the app',
  },
  parent: {
    show: call({
      says: 'Shows the frame over the page: top layer, inert background, focus inside.',
      policy: 'dialog-only',
      input: empty,
      output: v.object({ viewport: hostViewportSchema }),
      errors: ['client_destroyed'],
    }),
    hide: call({
      says: 'Hides the frame and gives focus back.',
      policy: 'dialog-only',
      input: empty,
      output: empty,
      errors: ['client_destroyed'],
    }),
    event: call({
      says: 'Tells the host what happened. Carries the user, never a token.',
      policy: 'dialog-only',
      input: hostEventSchema,
      output: empty,
      errors: [],
    }),
  },
  child: {
    hello: call({
      says: 'First message after each handshake: version, configuration, and how the host looks.',
      policy: 'headless',
      input: v.object({
        protocol: v.number(),
        loader: text,
        config: clientConfigSchema,
        colorScheme: v.picklist(['light', 'dark', 'normal']),
      }),
      output: v.object({ protocol: v.number(), dialog: text, authenticated: v.boolean() }),
      errors: ['unsupported_protocol', 'missing_or_invalid_latchkey_app_id'],
    }),
    configure: call({
      says: 'Replaces the configuration of the host: theme, texts, methods.',
      policy: 'headless',
      input: v.object({ config: clientConfigSchema, colorScheme: v.picklist(['light', 'dark', 'normal']) }),
      output: empty,
      errors: [],
    }),
    viewport: call({
      says: 'The visible part of the host window changed, as by an on-screen keyboard.',
      policy: 'headless',
      input: hostViewportSchema,
      output: empty,
      errors: [],
    }),
    login: call({
      says: 'Opens the dialog and settles when the user is logged in, or closed it.',
      policy: 'needs-user',
      input: empty,
      output: loginResultSchema,
      errors: [
        'exited_auth_flow',
        'allowlist_rejected',
        'max_accounts_reached',
        'user_does_not_exist',
        'too_many_requests',
        'client_request_timeout',
        'unknown_auth_error',
      ],
    }),
    logout: call({
      says: 'Ends the session. Local state goes even when the server does not answer.',
      policy: 'headless',
      input: empty,
      output: empty,
      errors: [],
    }),
    user: call({
      says: 'The user, or null for a visitor.',
      policy: 'headless',
      input: empty,
      output: v.object({ user: v.nullable(hostUserSchema) }),
      errors: ['session_storage_unavailable'],
    }),
    accessToken: call({
      says: 'A host token, refreshed first when it has under 30 s left; null for a visitor. It names the user and opens nothing.',
      policy: 'headless',
      deadlineMs: channelLimits.callDeadlineMs * 5,
      input: empty,
      output: v.object({ token: v.nullable(text), expiresAt: v.nullable(epochSeconds) }),
      errors: ['session_storage_unavailable', 'client_request_timeout'],
    }),
    createWallet: call({
      says: 'Makes the embedded wallet of the user.',
      policy: 'headless',
      deadlineMs: channelLimits.callDeadlineMs * 3,
      input: empty,
      output: v.object({ wallet: walletAccountSchema }),
      errors: ['must_be_authenticated', 'embedded_wallet_already_exists', 'unknown_embedded_wallet_error'],
    }),
    signMessage: call({
      says: 'Shows the message; signs it after a visible, trusted click.',
      policy: 'needs-user',
      input: v.object({ message: messageToSign, ui: option(signUiSchema) }),
      output: v.object({ signature: text, address: text }),
      errors: [
        'must_be_authenticated',
        'embedded_wallet_not_found',
        'invalid_message',
        'user_rejected_request',
        'unable_to_sign',
        'not_visible',
        'too_many_requests',
      ],
    }),
  },
} as const satisfies Contract
export type HostContract = typeof hostContract
