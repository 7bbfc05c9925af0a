import { isOnSameHost } from '@latchkey/protocol'
import { createContext, use } from 'react'

/** The product's own origins. */
export const OwnOriginsContext = createContext<readonly string[]>([])

/** Returns an external URL, or undefined for a URL on one of our own origins. */
export function useExternalUrl(address: string | undefined): string | undefined {
  const origins = use(OwnOriginsContext)
  return address !== undefined && isOnSameHost(address, origins) ? undefined : address
}
