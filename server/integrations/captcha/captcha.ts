/** Captcha checks for endpoints that start a login. */
export { requireCaptcha } from './require-captcha.ts'
export { captchaVerifier } from './verifier.ts'
