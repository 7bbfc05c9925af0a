import { isOnSameHost } from '@latchkey/protocol'
import { createContext, use } from 'react'

/** The origins of the product itself, of the dialog that is drawn. */
export const OwnOriginsContext = createContext<readonly string[]>([])

/** An address that somebody else named, to be followed or drawn: none of ours is. */
export function useOutside(address: string | undefined): string | undefined {
  const origins = use(OwnOriginsContext)
  return address !== undefined && isOnSameHost(address, origins) ? undefined : address
}
