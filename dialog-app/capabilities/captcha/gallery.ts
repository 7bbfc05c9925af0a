import { type Picture, type Pictures, pictured } from '../../contract/picture.ts'
import type { CaptchaState } from './captcha-screen.tsx'
import { captchaScreen } from './screens.ts'

const captcha = (caption: string, state: CaptchaState): Picture => ({
  caption,
  screen: pictured(captchaScreen, state),
})

export const pictures: Pictures = {
  screens: [
    captcha('Captcha', { status: 'loading', retriesLeft: 3 }),
    captcha('Captcha, waiting for a tick', { status: 'asking', retriesLeft: 3 }),
    captcha('Captcha, passed', { status: 'success', token: 'token' }),
    captcha('Captcha, not passed', { status: 'error', retriesLeft: 3 }),
    captcha('Captcha, retries used up', { status: 'error', retriesLeft: 0 }),
  ],
}
