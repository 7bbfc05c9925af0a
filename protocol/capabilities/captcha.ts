/** Site keys say by a prefix whose captcha they are of. There is one provider: `t:` is Cloudflare Turnstile. */
const turnstilePrefix = 't:'

export const unsupportedSiteKey = 'Unsupported captcha site key'

/** As Turnstile has it; undefined for a key of nobody that is known here. */
export function turnstileSiteKey(siteKey: string | null): string | undefined {
  if (!siteKey?.startsWith(turnstilePrefix)) return undefined
  return siteKey.slice(turnstilePrefix.length) || undefined
}
