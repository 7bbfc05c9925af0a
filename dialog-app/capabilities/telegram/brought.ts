/** What Telegram put into the address of the host's page: a button of the bot that opened it, or Telegram itself. */
import { fromWire } from '@latchkey/protocol'
import { telegramAuthResult, telegramWebAppData } from '@latchkey/protocol/api'
import { pageItself, takeTelegramReturn } from '@latchkey/protocol/host'
import * as v from 'valibot'
import type { FlowPorts } from '../../core/ports.ts'
import type { Settings } from '../../core/settings.ts'
import type { Signed } from './attempt.ts'

const answered = v.object({
  result: v.object({
    form: v.picklist(['login', 'web app']),
    fields: v.record(v.string(), v.string()),
  }),
})

/** The host may want less of it than the app allows, never more. */
const isSeamless = ({ app, config }: Settings) =>
  app.telegramAuthConfig?.seamlessAuthEnabled === true && config.telegram?.seamlessAuthEnabled !== false

/** Undefined where there is nothing, or no loader that could say. */
export async function takeSigned({
  page,
  settings,
}: Pick<FlowPorts, 'page' | 'settings'>): Promise<Signed | undefined> {
  const params = [{ webApp: isSeamless(settings()) }]
  const asked = { wallet: pageItself, method: takeTelegramReturn, params }
  const answer = await page.request(asked, { signal: new AbortController().signal }).catch(() => null)
  const found = v.safeParse(answered, answer)
  if (!found.success) return undefined
  const { form, fields } = found.output.result
  if (form === 'login') {
    const read = v.safeParse(telegramAuthResult, fromWire(telegramAuthResult, fields))
    return read.success ? { telegramAuthResult: read.output } : undefined
  }
  const read = v.safeParse(telegramWebAppData, fromWire(telegramWebAppData, fields))
  return read.success ? { telegramWebAppData: read.output } : undefined
}
