import { operatorRoles } from '@latchkey/protocol/admin'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { acceptInvitation, openInvitation, sessionQuery, signIn } from '../api/session.ts'
import { Button } from '../ui/button.tsx'
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
  return (
    <Card title="Latchkey dashboard">
      <p className={styles.lead}>Operators sign in with a passkey. New operators need an invitation link.</p>
      <Problem error={attempt.error} />
      <Button kind="primary" disabled={attempt.isPending} onClick={() => attempt.mutate()}>
        Sign in with a passkey
      </Button>
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
