/** Services of the dialog for components. */
import { createContext, use, useSyncExternalStore } from 'react'
import type { SessionState } from '../session/current-user.ts'
import type { DialogContext } from './screen.ts'

const Context = createContext<DialogContext | undefined>(undefined)
export const DialogProvider = Context

export function useDialog(): DialogContext {
  const context = use(Context)
  if (!context) throw new Error('No DialogProvider')
  return context
}

export function useSession(): SessionState {
  const { session } = useDialog().services
  return useSyncExternalStore(session.subscribe, session.state)
}
