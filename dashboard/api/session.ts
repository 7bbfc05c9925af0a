/** Signs operators in and out, and manages their passkeys: the calls of `signInRoutes`. */
import { fromWire, toWire } from '@latchkey/protocol'
import {
  type OperatorPasskeys,
  type OperatorSession,
  signInPrefix,
  signInRoutes,
} from '@latchkey/protocol/admin'
import { queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { CallFailure, sendConfirmed } from './call.ts'
import { assertPasskey, createPasskey } from './passkey.ts'

type Routes = typeof signInRoutes
type Name = keyof Routes
type Body<N extends Name> = Routes[N] extends { body: infer S extends v.GenericSchema }
  ? v.InferInput<S>
  : undefined

async function callSignIn<const N extends Name>(
  name: N,
  body: Body<N>,
): Promise<v.InferOutput<Routes[N]['output']>> {
  const route = signInRoutes[name]
  const init =
    'body' in route
      ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(toWire(route.body, body)) }
      : { headers: {} }
  const answer = await sendConfirmed(signInPrefix + route.path, { method: route.method, ...init })
  return v.parse(route.output, fromWire(route.output, answer.value)) as v.InferOutput<Routes[N]['output']>
}

/** The operator of this browser, or null before the sign-in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () =>
    callSignIn('readSession', undefined).catch((error: unknown): OperatorSession | null => {
      if (error instanceof CallFailure && error.code === 'session_expired') return null
      throw error
    }),
  staleTime: Number.POSITIVE_INFINITY,
})

export async function signIn(): Promise<OperatorSession> {
  const { options } = await callSignIn('beginSignIn', {})
  return callSignIn('signIn', { credential: await assertPasskey(options) })
}

/** The name of the OpenID provider of operators, or null without one. */
export const signInOptionsQuery = queryOptions({
  queryKey: ['sign-in-options'],
  queryFn: () => callSignIn('readSignInOptions', undefined),
  staleTime: Number.POSITIVE_INFINITY,
})

/** Leaves this page for the OpenID provider. `recent` asks it to authenticate the operator again. */
export async function goToOidcProvider(recent: boolean): Promise<void> {
  const { url } = await callSignIn('beginOidcSignIn', { recent })
  location.assign(url)
}

export const finishOidcSignIn = (query: string) => callSignIn('finishOidcSignIn', { query })

export const openInvitation = (invitation: string) => callSignIn('openInvitation', { invitation })
type OpenedInvitation = Awaited<ReturnType<typeof openInvitation>>

export async function acceptInvitation(
  invitation: string,
  { options }: OpenedInvitation,
): Promise<OperatorSession> {
  return callSignIn('acceptInvitation', { invitation, credential: await createPasskey(options) })
}

export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: () => callSignIn('listPasskeys', undefined),
})

/** Registers a passkey after a confirmation by a registered one, or the first one after a recent sign-in. */
export async function addPasskey(): Promise<OperatorPasskeys> {
  const { options } = await callSignIn('beginPasskey', {})
  return callSignIn('addPasskey', { credential: await createPasskey(options) })
}

export const removePasskey = (id: string) => callSignIn('removePasskey', { id })

export const signOut = () => callSignIn('signOut', {})
