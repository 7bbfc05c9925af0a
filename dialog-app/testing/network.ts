import type { Network } from '../browser/ports.ts'

/** A network that only the test takes away and gives back. */
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
