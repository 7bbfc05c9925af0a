import type { Network } from '../browser/ports.ts'

/** A network that tests disconnect and reconnect. */
export function makeFakeNetwork() {
  let back = Promise.withResolvers<void>()
  let online = true
  const network: Network = {
    isOnline: () => online,
    whenOnline: () => back.promise,
  }
  return {
    ...network,
    goOffline() {
      online = false
      back = Promise.withResolvers()
    },
    comeBack() {
      online = true
      back.resolve()
    },
  }
}
