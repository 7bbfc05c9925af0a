import type { Atom } from 'jotai/vanilla'
import { useCallback, useSyncExternalStore } from 'react'
import type { Core } from '../core.ts'

/** What an atom of the core holds now. */
export function useAtom<T>(store: Core['store'], atom: Atom<T>): T {
  const subscribe = useCallback((run: () => void) => store.sub(atom, run), [store, atom])
  return useSyncExternalStore(subscribe, () => store.get(atom))
}
