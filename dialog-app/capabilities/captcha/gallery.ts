import { type Picture, type Pictures, picturedView } from '../../contract/picture.ts'
import { CaptchaView, type CaptchaViewProps } from './captcha-screen.tsx'
import { captchaScreen } from './screens.ts'

const captcha = (caption: string, status: CaptchaViewProps['status'], retriesLeft = 3): Picture => ({
  caption,
  screen: picturedView(
    captchaScreen,
    CaptchaView,
    (press): CaptchaViewProps => ({
      status,
      retriesLeft,
      onRetry: press('retry'),
      onLeave: press('leave'),
    }),
  ),
})

export const pictures: Pictures = {
  screens: [
    captcha('Captcha', 'loading'),
    captcha('Captcha, waiting for a tick', 'asking'),
    captcha('Captcha, passed', 'passed'),
    captcha('Captcha, not passed', 'failed'),
    captcha('Captcha, retries used up', 'failed', 0),
  ],
}
