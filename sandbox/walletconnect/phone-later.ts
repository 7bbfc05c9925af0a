/** The phone comes with its first use: who wants mail does not wait for the code of a wallet. */
import type { Phone } from './phone.ts'

export function openPhoneLater(relayUrl: () => string) {
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
