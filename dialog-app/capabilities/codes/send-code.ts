import type { CallOptions } from '../../api/transport.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { MethodInProgress } from '../../contract/login.ts'
import type { CodeMethod } from './code-method.ts'

/** Sends a code. Resolves with false if the user went back from the captcha. */
export type SendCode = (to: string, asker: CallOptions) => Promise<boolean>

/** Only a login has a captcha, not a link. */
export const createSendCode =
  (
    { captchaPass }: Pick<CapabilityPorts, 'captchaPass'>,
    { purpose, card }: MethodInProgress,
    { send }: CodeMethod,
  ): SendCode =>
  async (to, asker) => {
    const pass = purpose === 'login' ? await captchaPass(card) : {}
    if (pass) await send(to, pass, asker)
    return pass !== undefined
  }
