/** Checks whether an app has a login method enabled. */
import { type AppConfig, LatchkeyError } from '@latchkey/protocol'
import type { App } from '../identity/apps/apps.ts'

type LoginFlag = Extract<keyof AppConfig, `${string}Auth` | `${string}Oauth`>

export function requireLoginMethod(app: App, method: LoginFlag, name: string): void {
  if (app.config[method]) return
  throw new LatchkeyError('disallowed_login_method', `Login with ${name} is not allowed in this app`)
}
