import type { AdminScope, OperatorSession } from '@latchkey/protocol/admin'
import { createContext, useContext } from 'react'

const SessionContext = createContext<OperatorSession | undefined>(undefined)

export const SessionProvider = SessionContext.Provider

export function useSession(): OperatorSession {
  const session = useContext(SessionContext)
  if (session === undefined) throw new Error('There is no session outside of the signed-in screens')
  return session
}

/** Returns whether the operator's role has one of the scopes. The server decides; screens only hide other actions. */
export function useCan(): (...scopes: AdminScope[]) => boolean {
  const { scopes: own } = useSession()
  return (...scopes) => scopes.some((scope) => own.includes(scope))
}
