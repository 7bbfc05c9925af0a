/** Whether it is a person who starts a login, as somebody else can tell. */
export { behindCaptcha } from './behind-captcha.ts'
export { captchaVerifier } from './verifier.ts'
