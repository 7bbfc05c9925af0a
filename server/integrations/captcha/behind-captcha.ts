/**
 * A call that starts a login, where the app asks for a captcha first. Who is logged in already needs none, unless the
 * call says otherwise.
 *
 *     behindCaptcha(replayedEndpoint(emailRoutes.sendEmailCode, { … }))
 *
 * The captcha is checked in the ask of the call, in front of the call's own, and what the call reserves is reserved
 * after that: nobody's budget is taken by who did not pass. So a call that was cut off reserves anew.
 */
import { randomUUID } from 'node:crypto'
import { LatchkeyError } from '@latchkey/protocol'
import type { Route } from '@latchkey/protocol/api'
import * as v from 'valibot'
import type { ServerContext } from '../../kernel/context.ts'
import type { Call, Endpoint } from '../../kernel/http/endpoint.ts'
import {
  type Asked,
  askInTime,
  decide,
  reserve,
  reserveAndDecide,
  type Steps,
} from '../../kernel/http/steps.ts'
import { askLimits } from '../../kernel/limits.ts'
import { type CaptchaAnswer, type CaptchaVerifier, captchaVerifier } from './verifier.ts'

type Placing = {
  /** Where the specification has the token in the body. */
  readonly field?: 'token' | 'captchaToken'
  /** Where the call begins a link as well, the specification may want a captcha for that too. */
  readonly askedOf?: 'visitors' | 'everybody'
}

export const behindCaptcha = (
  endpoint: Endpoint,
  { field = 'token', askedOf = 'visitors' }: Placing = {},
): Endpoint => ({
  route: endpoint.route,
  async answer(call, context, replay) {
    const { app } = call
    if (!app?.config.captchaEnabled) return endpoint.answer(call, context, replay)
    const verifier = verifierOf(context)
    const token = tokenOf(call, field)
    if (token === undefined) {
      if (askedOf === 'visitors' && (await call.loggedIn())) return endpoint.answer(call, context, replay)
      throw notPassed()
    }
    const check: Check = (checkId, signal) => verifier.check({ token, appId: app.id, checkId }, signal)
    return endpoint.answer(call, context, (steps) => replay(afterCaptcha(steps, context, check)))
  },
})

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

const notPassed = () => new LatchkeyError('invalid_captcha', 'The captcha was not passed. Please try again.')

type Check = (checkId: string, signal: AbortSignal) => Promise<CaptchaAnswer>
type Refusal = { readonly type: 'refused'; readonly by: Exclude<CaptchaAnswer['type'], 'passed'> }
/** `asked` is undefined for a call that has no `ask` of its own: nothing of it is reserved before it is decided. */
type Gated<Reserved, Answer> =
  | Refusal
  | { readonly type: 'passed'; readonly asked: Asked<Reserved, Answer> | undefined }
type GatedOutcome<Outcome> = Refusal | { readonly type: 'passed'; readonly outcome: Outcome }

function afterCaptcha<Reserved, Answer, Outcome>(
  steps: Steps<Reserved, Answer, Outcome>,
  context: ServerContext,
  check: Check,
): Steps<{ readonly checkId: string }, Gated<Reserved, Answer>, GatedOutcome<Outcome>> {
  const { ask, perform } = steps
  const deadlineMs = askLimits.captchaDeadlineMs
  return {
    reserve: async (_trx, before) => before ?? { checkId: randomUUID() },
    ask: {
      repeatable: ask?.repeatable ?? true,
      deadlineMs: deadlineMs + (ask?.deadlineMs ?? 0),
      async run({ checkId }) {
        const checking = { repeatable: true, deadlineMs, run: check }
        const answer = await askInTime(checking, checkId)
        if (answer.type !== 'passed') return refusalOf(context, answer)
        if (!ask) return { type: 'passed', asked: undefined }
        const reserved = await context.transaction((trx) => reserve(steps, trx, undefined))
        return { type: 'passed', asked: { reserved, answer: await askInTime(ask, reserved) } }
      },
    },
    async decide(trx, { answer }) {
      if (answer.type === 'refused') return answer
      const { asked } = answer
      const outcome = asked ? await decide(steps, trx, asked) : await reserveAndDecide(steps, trx)
      return { type: 'passed', outcome }
    },
    perform:
      perform &&
      (async (outcome) => {
        if (outcome.type === 'passed') await perform(outcome.outcome)
      }),
    render(outcome) {
      if (outcome.type === 'passed') return steps.render(outcome.outcome)
      throw outcome.by === 'failed'
        ? new LatchkeyError('captcha_disabled', 'The captcha can not be checked at present')
        : notPassed()
    },
  }
}

/** Why Turnstile can not say is for the operator, in the log. */
function refusalOf({ log }: ServerContext, answer: Exclude<CaptchaAnswer, { type: 'passed' }>): Refusal {
  if (answer.type === 'failed') log.error({ why: answer.why }, 'The captcha service refused this server')
  return { type: 'refused', by: answer.type }
}
