import { registryKey } from '../../kernel/registry.ts'

export type CaptchaAnswer =
  | { type: 'passed' }
  /** The token was made up, too old, used before, or made for another page or app. */
  | { type: 'not passed' }
  /** The check itself did not work, which only the operator can fix. */
  | { type: 'failed'; why: string }

export type CaptchaToCheck = {
  token: string
  appId: string
  /** The same for the same token in the same call: then it may be checked again, and is used up once. */
  checkId: string
}

/** Knows whether a token was given to a person. It rejects where nobody knows whether it was heard. */
export type CaptchaVerifier = {
  check: (token: CaptchaToCheck, signal: AbortSignal) => Promise<CaptchaAnswer>
}

/** Undefined where the operator named no secret. */
export const captchaVerifier = registryKey<CaptchaVerifier | undefined>('the verifier of captchas')
