/** Provides TanStack Query to screens that show data of the server. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Session } from '../../session/session.ts'
import { useDialog } from '../context.ts'

const clients = new WeakMap<Session, QueryClient>()

export function QueryProvider({ children }: { children: ReactNode }) {
  const { session } = useDialog().services
  return <QueryClientProvider client={clientFor(session)}>{children}</QueryClientProvider>
}

/** Returns the client of this session. A logout empties its cache. */
function clientFor(session: Session): QueryClient {
  const existing = clients.get(session)
  if (existing) return existing
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        // The API client retries, and waits for the network.
        retry: false,
        networkMode: 'always',
        // A screen loads its data once, when it opens.
        gcTime: 0,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
      },
      mutations: { networkMode: 'always' },
    },
  })
  clients.set(session, client)
  session.subscribe(({ status }) => {
    if (status === 'visitor') client.clear()
  })
  return client
}
