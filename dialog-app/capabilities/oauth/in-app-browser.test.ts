import { describe, expect, test } from 'vitest'
import { canLogInHere } from './oauth-login.ts'

// spec L9.21, L2.43
describe('a browser inside of an app', () => {
  const webview =
    'Mozilla/5.0 (Linux; Android 15; wv) AppleWebKit/537.36 Version/4.0 Chrome/140.0 Mobile Safari/537.36'
  test.each([
    ['Facebook on iOS', `${webview} [FBAN/FBIOS;FBAV/470.0]`],
    ['Facebook on Android', `${webview} [FB_IAB/FB4A;FBAV/470.0;]`],
    ['Instagram', `${webview} Instagram 350.0 Android`],
    ['Snapchat', `${webview} Snapchat/13.0`],
    ['LinkedIn', `${webview} [LinkedInApp]/9.30`],
  ])('of %s refuses Google alone', (_name, userAgent) => {
    expect(canLogInHere('google', userAgent)).toBe(false)
    expect(canLogInHere('apple', userAgent)).toBe(true)
    expect(canLogInHere('linkedin', userAgent)).toBe(true)
  })

  test('any other browser takes Google', () => {
    for (const userAgent of [webview, 'Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0']) {
      expect(canLogInHere('google', userAgent)).toBe(true)
    }
  })
})
