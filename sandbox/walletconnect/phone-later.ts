/** Loads the phone on first use, so that runs without a wallet start fast. */
import type { Phone } from './phone.ts'

export function createLazyPhone(relayUrl: () => string) {
  let opening: Promise<Phone> | undefined
  const open = async () => (await import('./phone.ts')).createPhone(relayUrl)
  return {
    get() {
      opening ??= open()
      return opening
    },
    async stop() {
      if (opening) await (await opening).stop()
    },
  }
}
