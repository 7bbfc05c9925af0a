/** Captchas that a test solves, one after the other. */
import type { Capability } from '../contract/capability.ts'
import type { CaptchaPass } from '../contract/login.ts'
import { settle } from './clock.ts'

export function makeDecidedCaptcha() {
  const asked: ((pass: CaptchaPass | undefined) => void)[] = []
  const decided: Capability = {
    name: 'captcha',
    loadedFor: 'nobody',
    bring: () => ({ captchaPass: () => new Promise((resolve) => asked.push(resolve)) }),
  }
  return {
    asked,
    behind: (capabilities: readonly Capability[]) =>
      capabilities.map((each) => (each.name === 'captcha' ? decided : each)),
    async decide(pass: CaptchaPass | undefined) {
      asked.shift()?.(pass)
      await settle()
    },
  }
}
