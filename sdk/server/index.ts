export {
  answerHook,
  type HookAnswers,
  type HookHandlers,
  type HookQuestion,
  type HookQuestions,
} from './hooks/answer.ts'
export {
  type Authentication,
  createLatchkeyServer,
  type LatchkeyServer,
  type LatchkeyServerOptions,
} from './requests/latchkey-server.ts'
export type { AccessToken } from './tokens/access-token.ts'
export { LatchkeyServerError, type LatchkeyServerErrorCode } from './tokens/errors.ts'
export { LatchkeyWebhookError, type LatchkeyWebhookErrorCode } from './webhooks/errors.ts'
export type { WebhookPayloads } from './webhooks/events.ts'
export {
  verifyWebhook,
  type WebhookEvent,
  type WebhookOptions,
  type WebhookRequest,
} from './webhooks/verify.ts'
