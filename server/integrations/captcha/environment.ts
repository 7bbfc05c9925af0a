import { exactOrigin } from '@latchkey/protocol'
import * as v from 'valibot'
import type { ServerConfig } from '../../kernel/config.ts'
import { environmentPart } from '../../kernel/environment.ts'

const origin = v.pipe(
  v.string(),
  v.check((value) => exactOrigin(value) === value, 'must be an origin, as https://challenges.cloudflare.com'),
)

export const captchaEnvironment = environmentPart({
  /** Browsers and this server both ask there. */
  TURNSTILE_URL: v.optional(origin, 'https://challenges.cloudflare.com'),
  TURNSTILE_SECRET_KEY: v.optional(v.pipe(v.string(), v.regex(/^\S+$/, 'must be one word'))),
})

export const turnstileOrigin = (config: ServerConfig): string => captchaEnvironment.of(config).TURNSTILE_URL
