/** What a call that starts a login needs where the app wants to know that it is a person. */
import type { CardHandle } from '../flow/flow.ts'

/** Goes into the body of the call, once. Empty where the app asks for no captcha. */
export type CaptchaPass = { readonly token?: string }

/** Undefined where the user went back instead. */
export type GetCaptchaPass = (card: CardHandle) => Promise<CaptchaPass | undefined>
