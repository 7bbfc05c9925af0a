import { useSyncExternalStore } from 'react'
import type { Changes } from './changes.ts'

/** Renders the component again at each change. */
export function useChanges({ subscribe, version }: Pick<Changes, 'subscribe' | 'version'>) {
  useSyncExternalStore(subscribe, version, version)
}
