import { LatchkeyError } from '@latchkey/protocol'
import type { Settings } from '../../host/settings.ts'

/** A host may say which bot its page is for. The server has the token of the app's alone, so no other can log in. */
export function isBotOfApp({
  app: { telegramAuthConfig: own },
  config: { telegram: named },
}: Settings): boolean {
  return (
    own === null ||
    ((named?.botId ?? own.botId) === own.botId && (named?.botName ?? own.botName) === own.botName)
  )
}

export async function requireBotOfApp(settings: Settings): Promise<void> {
  if (isBotOfApp(settings)) return
  throw new LatchkeyError('disallowed_login_method', 'This page is for another Telegram bot than its app')
}
