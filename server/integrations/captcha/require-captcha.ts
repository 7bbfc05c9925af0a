/**
 * Requires a passed captcha before an endpoint that starts a login, if the app has the captcha enabled. By default,
 * logged-in users need no captcha.
 *
 *     requireCaptcha(replayedEndpoint(emailRoutes.sendEmailCode, { … }))
 *
 * The captcha is verified before the endpoint reserves any quota.
 */
import { type AppConfig, LatchkeyError } from '@latchkey/protocol'
import type { Route } from '@latchkey/protocol/api'
import * as v from 'valibot'
import type { ServerContext } from '../../kernel/context.ts'
import type { Call, Endpoint } from '../../kernel/http/endpoint.ts'
import type { PreCheck, Refusal } from '../../kernel/http/steps.ts'
import { askLimits } from '../../kernel/limits.ts'
import { type CaptchaResult, type CaptchaVerifier, captchaVerifier } from './verifier.ts'

type CaptchaOptions = {
  /** The body field that contains the token, as the specification names it. */
  field?: 'token' | 'captchaToken'
  /** `visitors` exempts logged-in users. An endpoint that also starts a link exempts no one. */
  requiredOf?: 'visitors' | 'everybody'
}

export const requireCaptcha = (
  endpoint: Endpoint,
  { field = 'token', requiredOf: askedOf = 'visitors' }: CaptchaOptions = {},
): Endpoint => ({
  route: endpoint.route,
  async answer(call, context, replay) {
    const { app } = call
    const token = getToken(call, field)
    if (!app || !needsCheck(app.config, token, context)) return endpoint.answer(call, context, replay)
    const verifier = getVerifier(context)
    if (token === undefined) {
      if (askedOf === 'visitors' && (await call.loggedIn())) return endpoint.answer(call, context, replay)
      throw new LatchkeyError(notPassed.code, notPassed.message)
    }
    const preCheck: PreCheck = {
      deadlineMs: askLimits.captchaDeadlineMs,
      run: async (checkId, signal) =>
        toRefusal(context, await verifier.check({ token, appId: app.id, checkId }, signal)),
    }
    return endpoint.answer(call, context, (steps) => replay({ ...steps, before: preCheck }))
  },
})

/**
 * Returns whether this request needs a captcha check. A host page may use a captcha that its app does not require; the
 * server verifies that token too if it can.
 */
function needsCheck(
  { captchaEnabled, captchaSiteKey }: AppConfig,
  token: string | undefined,
  { ports }: ServerContext,
): boolean {
  if (captchaEnabled) return true
  return token !== undefined && captchaSiteKey !== null && captchaVerifier.get(ports) !== undefined
}

function getToken({ body }: Call<Route>, field: 'token' | 'captchaToken'): string | undefined {
  const parsed = v.safeParse(v.object({ [field]: v.string() }), body)
  return parsed.success ? parsed.output[field] : undefined
}

function getVerifier({ ports }: ServerContext): CaptchaVerifier {
  const verifier = captchaVerifier.get(ports)
  if (verifier) return verifier
  throw new LatchkeyError('captcha_disabled', 'This server has no captcha secret', {
    details: { setting: 'TURNSTILE_SECRET_KEY' },
  })
}

const notPassed: Refusal = {
  code: 'invalid_captcha',
  message: 'The captcha was not passed. Please try again.',
}

/** Maps the verifier's answer to a refusal. The reason for a failure is only logged, for the operator. */
function toRefusal({ log }: ServerContext, answer: CaptchaResult): Refusal | undefined {
  switch (answer.type) {
    case 'passed':
      return undefined
    case 'not-passed':
      return notPassed
    case 'failed':
      log.error({ why: answer.why }, 'The captcha service refused this server')
      return { code: 'captcha_disabled', message: 'The captcha can not be verified at the moment' }
    default:
      return answer satisfies never
  }
}
