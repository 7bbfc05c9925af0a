import { operatorRoles } from '@latchkey/protocol/admin'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Navigate, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import {
  acceptInvitation,
  finishOidcSignIn,
  goToOidcProvider,
  openInvitation,
  sessionQuery,
  signIn,
  signInOptionsQuery,
} from '../api/session.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { Loading, Problem } from '../ui/states.tsx'
import styles from './sign-in.module.css'

const Card = ({ title, children }: { title: string; children: ReactNode }) => (
  <main className={styles.page}>
    <div className={styles.card}>
      <img className={styles.mark} src="/favicon.svg" alt="" />
      <h1>{title}</h1>
      {children}
    </div>
  </main>
)

export function SignIn() {
  const client = useQueryClient()
  const attempt = useMutation({
    mutationFn: signIn,
    onSuccess: (session) => client.setQueryData(sessionQuery.queryKey, session),
  })
  const departure = useMutation({ mutationFn: () => goToOidcProvider(false) })
  const { data: options } = useQuery(signInOptionsQuery)
  const oidcName = options?.oidcName ?? null
  const isPending = attempt.isPending || departure.isPending
  return (
    <Card title="Latchkey dashboard">
      <p className={styles.lead}>
        {oidcName === null
          ? 'Operators sign in with a passkey. New operators need an invitation link.'
          : `Operators sign in with ${oidcName}, or with a passkey if they were invited by a link.`}
      </p>
      <Problem error={attempt.error ?? departure.error} />
      {oidcName !== null && (
        <Button kind="primary" disabled={isPending} onClick={() => departure.mutate()}>
          Sign in with {oidcName}
        </Button>
      )}
      <Button
        kind={oidcName === null ? 'primary' : 'quiet'}
        disabled={isPending}
        onClick={() => attempt.mutate()}
      >
        Sign in with a passkey
      </Button>
    </Card>
  )
}

/** Finishes the sign-in with which the OpenID provider redirected here. */
export function OidcReturn() {
  const [search] = useState(() => location.search)
  const client = useQueryClient()
  const { data, error } = useQuery({
    queryKey: ['oidc-return', search],
    queryFn: async () => {
      const { session, recent } = await finishOidcSignIn(search)
      client.setQueryData(sessionQuery.queryKey, session)
      return { recent }
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  // A recent sign-in is for the first passkey.
  if (data) return <Navigate to={data.recent ? '/passkeys' : '/'} replace />
  if (error === null) return <Loading />
  return (
    <Card title="You are not signed in">
      <Problem error={error} />
      <a className={buttonClass()} href="/">
        Back to the sign-in
      </a>
    </Card>
  )
}

/** Registers the passkey of an operator. The secret of the link is after `#`, which browsers do not send. */
export function Invitation() {
  const [invitation] = useState(() => location.hash.slice(1))
  const client = useQueryClient()
  const navigate = useNavigate()
  const query = useQuery({
    queryKey: ['invitation', invitation],
    queryFn: () => openInvitation(invitation),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const join = useMutation({
    // Each attempt needs another challenge.
    mutationFn: async () => acceptInvitation(invitation, await openInvitation(invitation)),
    onSuccess: (session) => {
      client.setQueryData(sessionQuery.queryKey, session)
      return navigate({ to: '/passkeys', replace: true })
    },
  })
  if (query.error) {
    return (
      <Card title="This link does not work">
        <Problem error={query.error} />
      </Card>
    )
  }
  if (query.data === undefined) return <Loading />
  const { email, role } = query.data
  return (
    <Card title="Join as an operator">
      <p className={styles.lead}>
        {email} becomes {role}. {operatorRoles[role].meaning} Register a passkey on this device to sign in
        from now on.
      </p>
      <Problem error={join.error} />
      <Button kind="primary" disabled={join.isPending} onClick={() => join.mutate()}>
        Register a passkey
      </Button>
    </Card>
  )
}
