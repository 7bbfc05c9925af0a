/** Whether this app takes logins of a kind, with everything that its settings ask of a login. */
import { type AppConfig, LatchkeyError, snakeCase } from '@latchkey/protocol'
import type { App } from '../apps/apps.ts'
import type { ServerContext } from '../context.ts'

type LoginFlag = Extract<keyof AppConfig, `${string}Auth` | `${string}Oauth`>

/** Settings that hold people back. One that nothing here makes real refuses a login, and is never passed over. */
const restrictions = ['captchaEnabled'] as const

export function requireLoginMethod(
  context: Pick<ServerContext, 'capabilities'>,
  app: App,
  method: LoginFlag,
  name: string,
): void {
  if (!app.config[method]) {
    throw new LatchkeyError('disallowed_login_method', `Login with ${name} is not allowed in this app`)
  }
  requireRestrictions(context, app)
}

/** Of every login, whatever its method is. */
export function requireRestrictions(
  { capabilities }: Pick<ServerContext, 'capabilities'>,
  { config }: App,
): void {
  const wanted = restrictions.filter((setting) => config[setting]).map(snakeCase)
  if (wanted.length === 0) return
  const unbuilt = capabilities.unbuiltSettings(config)
  const missing = wanted.find((setting) => unbuilt.includes(setting))
  if (missing === undefined) return
  throw new LatchkeyError('not_supported', 'Login is not possible: this server lacks what the app asks for', {
    details: { setting: missing },
  })
}
