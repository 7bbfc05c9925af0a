/** The reasons why a webhook is rejected. */
const errors = {
  missing_header: 'A header of the webhook is missing: webhook-id, webhook-timestamp or webhook-signature',
  invalid_signature: 'The webhook was not signed with this secret, or its body was changed',
  outside_tolerance: 'The webhook is more than five minutes old, or a clock is wrong',
  malformed_body: 'The body of the webhook is no event of Latchkey',
} as const

export type LatchkeyWebhookErrorCode = keyof typeof errors

export class LatchkeyWebhookError extends Error {
  override name = 'LatchkeyWebhookError'
  code: LatchkeyWebhookErrorCode
  status = 400 as const

  constructor(code: LatchkeyWebhookErrorCode, cause?: unknown) {
    super(errors[code], { cause })
    this.code = code
  }

  /** The response body, `{ error, code }`, as in Latchkey's own endpoints. */
  get body(): { error: string; code: LatchkeyWebhookErrorCode } {
    return { error: this.message, code: this.code }
  }

  toResponse(): Response {
    return Response.json(this.body, { status: this.status })
  }
}
