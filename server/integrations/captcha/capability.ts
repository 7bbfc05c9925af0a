import { type Capability, port } from '../../kernel/capability.ts'
import { captchaEnvironment, createTurnstileVerifier, turnstileOrigin } from './turnstile.ts'
import { captchaVerifier } from './verifier.ts'

export const captcha: Capability = {
  name: 'captcha',
  environment: captchaEnvironment,
  ports: [
    port(captchaVerifier, ({ config, log }) => {
      const secret = captchaEnvironment.read(config).TURNSTILE_SECRET_KEY
      if (secret === undefined) log.info({ missing: ['TURNSTILE_SECRET_KEY'] }, 'captcha not configured')
      else log.info('captcha configured')
      const { hostname } = new URL(config.dialogOrigin)
      return {
        value:
          secret === undefined
            ? undefined
            : createTurnstileVerifier({ origin: turnstileOrigin(config), secret, hostname }),
      }
    }),
  ],
  thirdParties: (config) =>
    captchaEnvironment.read(config).TURNSTILE_SECRET_KEY === undefined
      ? []
      : [{ variable: 'TURNSTILE_URL', url: turnstileOrigin(config) }],
  sources({ config: { captchaSiteKey } }, config) {
    if (captchaSiteKey === null) return {}
    const origin = turnstileOrigin(config)
    // The Turnstile script creates no named Trusted Types policy, so it needs the default one.
    return { script: [origin], frame: [origin], trustedTypes: ['default'] }
  },
  addresses: ({ config: { captchaSiteKey } }, config) =>
    captchaSiteKey !== null ? { captcha: turnstileOrigin(config) } : {},
  settings: ['captchaEnabled', 'captchaSiteKey'],
}
