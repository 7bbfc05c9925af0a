import { loadable } from '../../browser/loadable.ts'
import { defineCapability } from '../../contract/capability.ts'
import { requiresCaptcha } from '../../host/settings.ts'

/** Loads nothing in an app without a captcha. */
export const captcha = defineCapability({
  name: 'captcha',
  screens: async () => (await import('./screens.ts')).screens,
  comes: 'with its setting',
  loadedFor: 'nobody',
  bring(ports) {
    const passLoader = loadable(async () => (await import('./captcha-pass.ts')).createCaptchaPass(ports))
    return {
      captchaPass: async (card) =>
        requiresCaptcha(ports.settings()) ? (await ports.load(passLoader.load))(card) : {},
    }
  },
})
