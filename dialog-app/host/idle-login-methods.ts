/** Names of login methods that a host gives and that are none. */
import { type ClientConfig, isCrossAppProvider, loginMethods, product } from '@latchkey/protocol'

/** A sentence each, for whoever builds the host. */
export function idleLoginMethods({ loginMethods: chosen = [], loginMethodsAndOrder: order }: ClientConfig) {
  const named = [...chosen, ...(order?.primary ?? []), ...(order?.overflow ?? [])]
  return [...new Set(named)]
    .filter((name) => !loginMethods.some((method) => method === name) && !isCrossAppProvider(name))
    .map(idleWarning)
}

const shownNameLength = 64

const idleWarning = (method: string) =>
  `The login method "${method.slice(0, shownNameLength)}" is on, but this release of ${product.name} does not have it.`
