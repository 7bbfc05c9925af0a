import type { Asker } from '../../api/transport.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { CodeMethod } from '../../contract/code-login.ts'
import type { MethodInProgress } from '../../contract/login.ts'

/** False where the user went back from the captcha, which who is logged in already is not asked for. */
export type SendCode = (to: string, asker: Asker) => Promise<boolean>

export const createSendCode =
  ({ captchaPass }: CapabilityPorts, { purpose, card }: MethodInProgress, { send }: CodeMethod): SendCode =>
  async (to, asker) => {
    const pass = purpose === 'login' ? await captchaPass(card) : {}
    if (pass) await send(to, pass, asker)
    return pass !== undefined
  }
