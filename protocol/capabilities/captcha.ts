export const captchaLimits = {
  /** What a token is for, as its provider keeps it. */
  action: 'login',
  executeAfterMs: 500,
  pollMs: 200,
  deadlineMs: 20_000,
  continueAfterMs: 1_000,
  retries: 3,
  retryDelayMs: 1_000,
  /** A token that was not used yet is good for less than its provider's 300 s. */
  tokenSeconds: 240,
} as const

/** Site keys say by a prefix whose captcha they are of. There is one provider: `t:` is Cloudflare Turnstile. */
const turnstilePrefix = 't:'

export const unsupportedSiteKeyMessage = 'Unsupported captcha site key'

/** Turnstile's own site key; undefined for a key of no provider that is known here. */
export function toTurnstileSiteKey(siteKey: string | null): string | undefined {
  if (!siteKey?.startsWith(turnstilePrefix)) return undefined
  return siteKey.slice(turnstilePrefix.length) || undefined
}
