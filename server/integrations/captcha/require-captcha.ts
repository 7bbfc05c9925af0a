/**
 * A call that starts a login, where the app asks for a captcha first. Who is logged in already needs none, unless the
 * call says otherwise.
 *
 *     behindCaptcha(replayedEndpoint(emailRoutes.sendEmailCode, { … }))
 *
 * The captcha is checked before the call reserves anything.
 */
import { type AppConfig, LatchkeyError } from '@latchkey/protocol'
import type { Route } from '@latchkey/protocol/api'
import * as v from 'valibot'
import type { ServerContext } from '../../kernel/context.ts'
import type { Call, Endpoint } from '../../kernel/http/endpoint.ts'
import type { Before, Refusal } from '../../kernel/http/steps.ts'
import { askLimits } from '../../kernel/limits.ts'
import { type CaptchaAnswer, type CaptchaVerifier, captchaVerifier } from './verifier.ts'

type Placing = {
  /** Where the specification has the token in the body. */
  field?: 'token' | 'captchaToken'
  /** Where the call begins a link as well, the specification may want a captcha for that too. */
  askedOf?: 'visitors' | 'everybody'
}

export const behindCaptcha = (
  endpoint: Endpoint,
  { field = 'token', askedOf = 'visitors' }: Placing = {},
): Endpoint => ({
  route: endpoint.route,
  async answer(call, context, replay) {
    const { app } = call
    const token = tokenOf(call, field)
    if (!app || !isDue(app.config, token, context)) return endpoint.answer(call, context, replay)
    const verifier = verifierOf(context)
    if (token === undefined) {
      if (askedOf === 'visitors' && (await call.loggedIn())) return endpoint.answer(call, context, replay)
      throw new LatchkeyError(notPassed.code, notPassed.message)
    }
    const before: Before = {
      deadlineMs: askLimits.captchaDeadlineMs,
      run: async (checkId, signal) =>
        refusalOf(context, await verifier.check({ token, appId: app.id, checkId }, signal)),
    }
    return endpoint.answer(call, context, (steps) => replay({ ...steps, before }))
  },
})

/** A host page may ask for a captcha that its app does not require. The server verifies that token too, if it can. */
function isDue(
  { captchaEnabled, captchaSiteKey }: AppConfig,
  token: string | undefined,
  { ports }: ServerContext,
): boolean {
  if (captchaEnabled) return true
  return token !== undefined && captchaSiteKey !== null && captchaVerifier.on(ports) !== undefined
}

function tokenOf({ body }: Call<Route>, field: 'token' | 'captchaToken'): string | undefined {
  const found = v.safeParse(v.object({ [field]: v.string() }), body)
  return found.success ? found.output[field] : undefined
}

function verifierOf({ ports }: ServerContext): CaptchaVerifier {
  const verifier = captchaVerifier.on(ports)
  if (verifier) return verifier
  throw new LatchkeyError('captcha_disabled', 'This server can check no captcha', {
    details: { setting: 'TURNSTILE_SECRET_KEY' },
  })
}

const notPassed: Refusal = {
  code: 'invalid_captcha',
  message: 'The captcha was not passed. Please try again.',
}

/** Why Turnstile can not say is for the operator, in the log. */
function refusalOf({ log }: ServerContext, answer: CaptchaAnswer): Refusal | undefined {
  switch (answer.type) {
    case 'passed':
      return undefined
    case 'not passed':
      return notPassed
    case 'failed':
      log.error({ why: answer.why }, 'The captcha service refused this server')
      return { code: 'captcha_disabled', message: 'The captcha can not be checked at present' }
    default:
      return answer satisfies never
  }
}
