/**
 * Calls of the dashboard's own page: an operator joins by an invitation, signs in by a passkey or an OpenID provider, and
 * signs out. The session is in a cookie. No program calls them, so they are not part of the Admin API.
 */
import * as v from 'valibot'
import {
  assertion,
  assertionOptions,
  attestation,
  attestationOptions,
} from '../capabilities/passkey/credentials.ts'
import { id, text } from '../entities/primitives.ts'
import { time } from './fields.ts'
import { operatorSignIns } from './operators.ts'
import { operatorRoleNames } from './roles.ts'

/** `<id>.<secret>` of an invitation link. */
const invitation = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{24}\.[A-Za-z0-9_-]{43}$/))

const operatorSession = v.object({
  operatorId: id,
  email: text,
  signIn: v.picklist(operatorSignIns),
  role: v.picklist(operatorRoleNames),
  /** A page of the previous release ignores scopes that it does not have. */
  scopes: v.array(text),
  /** The only app of the operator, or null for every app. */
  appId: v.nullable(text),
  expiresAt: time,
})
export type OperatorSession = v.InferOutput<typeof operatorSession>

/** The passkeys of an operator, oldest first. */
const passkeys = v.object({ data: v.array(v.object({ id: text, createdAt: time })) })
export type OperatorPasskeys = v.InferOutput<typeof passkeys>

export const signInRoutes = {
  readSession: { method: 'GET', path: '/session', output: operatorSession },
  openInvitation: {
    method: 'POST',
    path: '/invitation',
    body: v.object({ invitation }),
    output: v.object({
      email: text,
      role: v.picklist(operatorRoleNames),
      expiresAt: time,
      options: attestationOptions,
    }),
  },
  acceptInvitation: {
    method: 'POST',
    path: '/invitation/accept',
    body: v.object({ invitation, credential: attestation }),
    output: operatorSession,
  },
  beginSignIn: {
    method: 'POST',
    path: '/sign-in',
    body: v.object({}),
    output: v.object({ options: assertionOptions }),
  },
  signIn: {
    method: 'POST',
    path: '/sign-in/finish',
    body: v.object({ credential: assertion }),
    output: operatorSession,
  },
  readSignInOptions: {
    method: 'GET',
    path: '/options',
    /** The name of the OpenID provider of operators, or null without one. */
    output: v.object({ oidcName: v.nullable(text) }),
  },
  /** Returns the address at the OpenID provider. `recent` asks it to authenticate the operator again. */
  beginOidcSignIn: {
    method: 'POST',
    path: '/oidc',
    body: v.object({ recent: v.boolean() }),
    output: v.object({ url: text }),
  },
  /** Accepts the query with which the provider redirects to the dashboard. */
  finishOidcSignIn: {
    method: 'POST',
    path: '/oidc/finish',
    body: v.object({ query: v.pipe(v.string(), v.maxLength(8_192)) }),
    output: v.object({ session: operatorSession, recent: v.boolean() }),
  },
  listPasskeys: { method: 'GET', path: '/passkeys', output: passkeys },
  /**
   * Needs a confirmation by a registered passkey, so that a copied cookie adds none. The first passkey of an operator of
   * the OpenID provider needs a recent sign-in instead.
   */
  beginPasskey: {
    method: 'POST',
    path: '/passkeys/begin',
    body: v.object({}),
    output: v.object({ options: attestationOptions }),
  },
  addPasskey: {
    method: 'POST',
    path: '/passkeys',
    body: v.object({ credential: attestation }),
    output: passkeys,
  },
  /** Needs a confirmation. The last passkey cannot be removed. */
  removePasskey: {
    method: 'POST',
    path: '/passkeys/remove',
    body: v.object({ id: text }),
    output: passkeys,
  },
  signOut: { method: 'POST', path: '/sign-out', body: v.object({}), output: v.object({}) },
} as const

export const signInPrefix = '/admin/session'

/** The screen to which the OpenID provider of operators redirects. */
export const oidcReturnPath = '/sign-in/oidc'

/** The passkey assertion over a destructive call, as base64url of its JSON. */
export const confirmationHeader = 'latchkey-confirmation'

/** The member of a `confirmation_required` problem with the options of the assertion. */
export const confirmationProblem = v.object({
  code: v.literal('confirmation_required'),
  confirmation: assertionOptions,
})

export const confirmationSchema = assertion
