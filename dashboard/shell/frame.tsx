import { type AdminScope, adminAppRoutes } from '@latchkey/protocol/admin'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, Navigate, Outlet, useNavigate, useParams, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { adminQuery } from '../api/queries.ts'
import { sessionQuery, signOut } from '../api/session.ts'
import { Button } from '../ui/button.tsx'
import { Empty, Loaded, Loading, Problem } from '../ui/states.tsx'
import styles from './frame.module.css'
import { SessionProvider, useCan, useSession } from './session.ts'
import { SignIn } from './sign-in.tsx'

/** The apps of the switcher. An operator with more apps opens the others by their address. */
export const appsQuery = adminQuery(adminAppRoutes.listApps, { query: { limit: '200' } })

/** Shows the screens of a signed-in operator, or the sign-in. */
export function Frame() {
  const { data: session, error } = useQuery(sessionQuery)
  if (error) return <Problem error={error} />
  if (session === undefined) return <Loading />
  if (session === null) return <SignIn />
  return (
    <SessionProvider value={session}>
      <div className={styles.frame}>
        <a className={styles.skip} href="#main">
          Skip to the content
        </a>
        <Side />
        <main className={styles.main} id="main" tabIndex={-1}>
          <Outlet />
        </main>
      </div>
    </SessionProvider>
  )
}

function Side() {
  return (
    <header className={styles.side}>
      <Link to="/" className={styles.brand} aria-label="Latchkey dashboard">
        <img src="/favicon.svg" alt="" />
        <span>Latchkey</span>
      </Link>
      <AppSwitcher />
      <Navigation />
      <Operator />
    </header>
  )
}

function AppSwitcher() {
  const { data } = useQuery(appsQuery)
  const { app: named } = useParams({ strict: false })
  const section = useRouterState({ select: ({ location }) => location.pathname.split('/')[3] ?? 'users' })
  const navigate = useNavigate()
  const apps = data?.output.data ?? []
  const app = named ?? apps[0]?.id ?? ''
  return (
    <select
      className={styles.switcher}
      aria-label="App"
      value={app}
      onChange={({ target }) => navigate({ href: `/apps/${target.value}/${section}` })}
    >
      {!apps.some(({ id }) => id === app) && <option value={app}>{app === '' ? 'No app' : app}</option>}
      {apps.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  )
}

/** The screens of an app, each with the scopes of its first call. */
const appScreens = [
  { to: '/apps/$app/overview', label: 'Overview', scopes: ['stats:read'] },
  { to: '/apps/$app/users', label: 'Users', scopes: ['users:read', 'users:read.masked'] },
  { to: '/apps/$app/approvals', label: 'Approvals', scopes: ['apps:read'] },
  { to: '/apps/$app/webhooks', label: 'Webhooks', scopes: ['webhooks:read'] },
  { to: '/apps/$app/hooks', label: 'Hooks', scopes: ['webhooks:read'] },
  { to: '/apps/$app/oidc', label: 'Login providers', scopes: ['apps:read'] },
  { to: '/apps/$app/descriptors', label: 'Descriptors', scopes: ['apps:read'] },
  { to: '/apps/$app/messages', label: 'Messages', scopes: ['apps:read'] },
  { to: '/apps/$app/imports', label: 'Imports', scopes: ['import'] },
  { to: '/apps/$app/audit', label: 'Audit log', scopes: ['audit:read'] },
  { to: '/apps/$app/settings', label: 'App settings', scopes: ['apps:read'] },
] as const satisfies { to: string; label: string; scopes: AdminScope[] }[]

function Navigation() {
  const can = useCan()
  const { data } = useQuery(appsQuery)
  const { app: named } = useParams({ strict: false })
  const app = named ?? data?.output.data[0]?.id
  const nav = useRef<HTMLElement>(null)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  // On a phone the links scroll sideways.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each path has another current link.
  useEffect(() => {
    const current = nav.current?.querySelector('[aria-current="page"]')
    current?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [path, app])
  return (
    <nav ref={nav} className={styles.nav} aria-label="Screens">
      {app !== undefined &&
        appScreens
          .filter(({ scopes }) => can(...scopes))
          .map(({ to, label }) => (
            <Link key={to} to={to} params={{ app }}>
              {label}
            </Link>
          ))}
      <div className={styles.group}>Server</div>
      {can('operators:read') && <Link to="/operators">Operators and keys</Link>}
      {can('stats:read') && <Link to="/system">System</Link>}
      <Link to="/passkeys">Your passkeys</Link>
    </nav>
  )
}

function Operator() {
  const { email, role } = useSession()
  const client = useQueryClient()
  const departure = useMutation({
    mutationFn: signOut,
    onSettled: () => {
      client.setQueryData(sessionQuery.queryKey, null)
      client.removeQueries({ predicate: ({ queryKey: [name] }) => name !== 'session' })
    },
  })
  return (
    <div className={styles.operator}>
      <span className={styles.email} title={email}>
        {email}
      </span>
      <span className={styles.role}>{role}</span>
      <Button kind="text" onClick={() => departure.mutate()}>
        Sign out
      </Button>
    </div>
  )
}

/** Opens the first app that the operator may see. */
export function Home() {
  const can = useCan()
  return (
    <Loaded query={useQuery(appsQuery)}>
      {({ output: { data } }) => {
        const [first] = data
        if (first === undefined) {
          return (
            <Empty title="There are no apps">
              Create one on the server: latchkey app create --name Fieldnotes --origin https://app.example
            </Empty>
          )
        }
        const params = { app: first.id }
        return can('users:read', 'users:read.masked') ? (
          <Navigate to="/apps/$app/users" params={params} replace />
        ) : (
          <Navigate to="/apps/$app/settings" params={params} replace />
        )
      }}
    </Loaded>
  )
}
