/** Logs in with Telegram data in the host page's URL, set by a bot's login button or by a Mini App launch. */
import { fromWire } from '@latchkey/protocol'
import { telegramAuthResult, telegramWebAppData } from '@latchkey/protocol/api'
import { hostPageId, toTakeReturnMethod } from '@latchkey/protocol/host'
import * as v from 'valibot'
import type { HostPage } from '../../browser/ports.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { Settings } from '../../host/settings.ts'
import type { Signed } from './attempt.ts'
import { isBotOfApp } from './bot.ts'

const answered = v.object({
  result: v.object({
    form: v.picklist(['login', 'web app']),
    fields: v.record(v.string(), v.string()),
  }),
})

/** The host can disable seamless login, but not enable it against the app setting. */
const isSeamless = (settings: Settings) =>
  settings.app.telegramAuthConfig?.seamlessAuthEnabled === true &&
  settings.config.telegram?.seamlessAuthEnabled !== false &&
  isBotOfApp(settings)

type Ports = Pick<CapabilityPorts, 'settings' | 'logIn'> & { page: HostPage }

export type AddressLogin = {
  /** Returns the signed data once. Resolves with undefined if the URL has none. */
  take: () => Promise<Signed | undefined>
  /** Logs in if the URL has signed data. */
  resume: () => Promise<void>
}

export function createAddressLogin(ports: Ports): AddressLogin {
  let looking: Promise<Signed | undefined> | undefined

  /** Caches the signed data until a login takes it, because reading removes it from the URL. */
  function readSigned() {
    looking ??= takeSigned(ports)
    return looking
  }
  function forget() {
    looking = undefined
  }

  return {
    take: () => readSigned().finally(forget),
    async resume() {
      try {
        if (await readSigned()) await ports.logIn({ signal: new AbortController().signal })
      } finally {
        forget()
      }
    },
  }
}

/** Resolves with undefined if the URL has no signed data, or if the loader cannot read it. */
async function takeSigned({ page, settings }: Pick<Ports, 'page' | 'settings'>): Promise<Signed | undefined> {
  const params = [{ webApp: isSeamless(settings()) }]
  const request = { wallet: hostPageId, method: toTakeReturnMethod('telegram'), params }
  const answer = await page.request(request, { signal: new AbortController().signal }).catch(() => null)
  const parsed = v.safeParse(answered, answer)
  if (!parsed.success) return undefined
  const { form, fields } = parsed.output.result
  if (form === 'login') {
    const read = v.safeParse(telegramAuthResult, fromWire(telegramAuthResult, fields))
    return read.success ? { telegramAuthResult: read.output } : undefined
  }
  const read = v.safeParse(telegramWebAppData, fromWire(telegramWebAppData, fields))
  return read.success ? { telegramWebAppData: read.output } : undefined
}
