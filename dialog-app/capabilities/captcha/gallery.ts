import { type Picture, type Pictures, pictured } from '../../contract/picture.ts'
import type { CaptchaState } from './captcha-state.ts'
import { captchaScreen } from './screens.ts'

const captcha = (caption: string, state: CaptchaState): Picture => ({
  caption,
  screen: pictured(captchaScreen, state),
})

export const pictures: Pictures = {
  screens: [
    captcha('Captcha', { status: 'loading', retriesLeft: 3 }),
    captcha('Captcha, passed', { status: 'success', token: 'token' }),
    captcha('Captcha, not passed', { status: 'error', retriesLeft: 3 }),
    captcha('Captcha, retries used up', { status: 'error', retriesLeft: 0 }),
  ],
}
