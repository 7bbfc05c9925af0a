/** Answers the hooks of an app: verifies the question and returns the response. */
import { LatchkeyWebhookError } from '../webhooks/errors.ts'
import { verifySigned, type WebhookOptions, type WebhookRequest } from '../webhooks/verify.ts'

/** The data of each question, by kind of hook. Later releases add fields. */
export type HookQuestions = {
  /** May this user log in? The user has proven the account. */
  'login.before': {
    app_id: string
    /** Null for a new user. */
    user_id: string | null
    is_new: boolean
    method: string
    account_type: string
    email_domain: string | null
  }
  /** Which claims does the host token of this session have? Asked once a session. */
  'token.claims': { app_id: string; user_id: string; session_id: string }
  /** Can you send this message? It may contain a login code: do not log or store it. */
  'message.send': {
    app_id: string
    kind: 'login_code' | 'notice'
    language: string
    to: string
    text: string
  } & (
    | {
        channel: 'email'
        subject: string
        html: string
        /** Images that the HTML names by `cid:`. */
        images: { cid: string; content_type: string; base64: string }[]
      }
    | { channel: 'sms' }
  )
}

/** The answer to each question, by kind of hook. */
export type HookAnswers = {
  /** `reason` reaches the host page in the error, not the user: letters, digits, `_`, `.` and `-`, at most 64. */
  'login.before': { decision: 'allow' } | { decision: 'deny'; reason?: string }
  /** A JSON object of at most 1,024 bytes. It becomes the claim `app_claims`. */
  'token.claims': { claims: Record<string, unknown> }
  /** Throw if the message was not sent. Latchkey then sends it. */
  'message.send': { sent: true }
}

export type HookQuestion<Kind extends keyof HookQuestions = keyof HookQuestions> = {
  [Each in Kind]: { id: string; type: Each; timestamp: string; data: HookQuestions[Each] }
}[Kind]

/** A function for each kind of hook that the app has at this URL. */
export type HookHandlers = {
  [Kind in keyof HookQuestions]?: (
    question: HookQuestion<Kind>,
  ) => HookAnswers[Kind] | Promise<HookAnswers[Kind]>
}

/**
 * Verifies a question and returns the response with the answer of its handler. Pass the secret (`whsec_…`) or the public
 * key (`whpk_…`), or several. Returns 400 for a forged or old question and 404 for one without a handler. Rejects if the
 * handler does; answer 500 then, and the failure mode of the hook decides.
 */
export async function answerHook(
  request: WebhookRequest,
  secrets: string | string[],
  handlers: HookHandlers,
  options?: WebhookOptions,
): Promise<Response> {
  let question: HookQuestion
  try {
    question = (await verifySigned(request, secrets, options)) as HookQuestion
  } catch (error) {
    if (error instanceof LatchkeyWebhookError) return error.toResponse()
    throw error
  }
  const { id, type } = question
  const handler = Object.hasOwn(handlers, type)
    ? (handlers[type] as (question: HookQuestion) => unknown)
    : undefined
  if (handler === undefined) {
    return Response.json({ error: `There is no handler for ${type}`, code: 'not_found' }, { status: 404 })
  }
  // The id binds the answer to its question.
  return Response.json({ id, ...Object(await handler(question)) })
}
