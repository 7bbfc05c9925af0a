export const captchaLimits = {
  /** The action that the provider stores with a token. */
  action: 'login',
  executeAfterMs: 500,
  pollMs: 200,
  deadlineMs: 20_000,
  continueAfterMs: 1_000,
  retries: 3,
  retryDelayMs: 1_000,
  /** Lifetime of an unused token, below the provider's 300 s. */
  tokenSeconds: 240,
} as const

/** Prefix of Cloudflare Turnstile site keys. Each captcha provider has its own prefix. */
const turnstilePrefix = 't:'

export const unsupportedSiteKeyMessage = 'Unsupported captcha site key'

/** Returns the site key without its prefix, or undefined for an unknown provider. */
export function toTurnstileSiteKey(siteKey: string | null): string | undefined {
  if (!siteKey?.startsWith(turnstilePrefix)) return undefined
  return siteKey.slice(turnstilePrefix.length) || undefined
}
