import { registryKey } from '../../kernel/registry.ts'

export type CaptchaResult =
  | { type: 'passed' }
  /** The token is invalid, expired, already used, or was issued for another page or app. */
  | { type: 'not-passed' }
  /** The check itself failed, and only the operator can fix it. */
  | { type: 'failed'; why: string }

export type CaptchaToCheck = {
  token: string
  appId: string
  /** An idempotency key: retries within one call use the same key, so the token is consumed once. */
  checkId: string
}

/** Verifies captcha tokens. `check` rejects if the outcome is unknown. */
export type CaptchaVerifier = {
  check: (token: CaptchaToCheck, signal: AbortSignal) => Promise<CaptchaResult>
}

/** Undefined if no secret is configured. */
export const captchaVerifier = registryKey<CaptchaVerifier | undefined>('the captcha verifier')
