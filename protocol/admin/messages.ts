/**
 * Words of mails and texts, as templates by kind and locale. Links and invisible characters are refused. Templates never
 * replace the sentences about the validity of a code, its host and the request that it confirms.
 */
import * as v from 'valibot'
import { text } from '../entities/primitives.ts'
import { time } from './fields.ts'
import { adminLimits } from './limits.ts'
import type { AdminRoutes } from './route.ts'

type MessageRules = {
  /** Completes "The words of …", without a full stop. */
  meaning: string
  channel: 'email' | 'sms'
  /** Whether the template has a subject and a heading. */
  hasSubject: boolean
  /** Whether the blocks must contain `{{code}}`. */
  hasCode: boolean
  mostBlocks: number
  longestBlock: number
}

const { mostMessageBlocks, longestMessageBlock, mostSmsBlocks, longestSmsBlock } = adminLimits
const mailBounds = { mostBlocks: mostMessageBlocks, longestBlock: longestMessageBlock }

export const messageKinds = {
  login_code: {
    meaning: 'the mail with the code of a login, or of an address that a user adds',
    channel: 'email',
    hasSubject: true,
    hasCode: true,
    ...mailBounds,
  },
  confirmation_code: {
    meaning: 'the mail with the code that confirms a request of a wallet',
    channel: 'email',
    hasSubject: true,
    hasCode: true,
    ...mailBounds,
  },
  confirmation_code_sms: {
    meaning: 'the text message with the code that confirms a request of a wallet',
    channel: 'sms',
    hasSubject: false,
    hasCode: true,
    mostBlocks: mostSmsBlocks,
    longestBlock: longestSmsBlock,
  },
  notice: {
    meaning: 'the end of each mail about a change of an account, such as a login on a new device',
    channel: 'email',
    hasSubject: false,
    hasCode: false,
    ...mailBounds,
  },
} as const satisfies Readonly<Record<string, MessageRules>>
export type MessageKind = keyof typeof messageKinds
export const messageKindNames = Object.keys(messageKinds) as MessageKind[]

/** Plain text with the placeholders `{{app}}` and `{{code}}`. Each block is a paragraph. */
export const messageTemplateSchema = v.object({
  subject: v.nullable(text),
  heading: v.nullable(text),
  blocks: v.array(text),
})
export type MessageTemplate = v.InferOutput<typeof messageTemplateSchema>

const message = v.object({
  kind: v.picklist(messageKindNames),
  locale: text,
  /** False for our words. */
  isOwn: v.boolean(),
  ...messageTemplateSchema.entries,
  updatedAt: v.nullable(time),
})
export type AdminMessage = v.InferOutput<typeof message>

const path = '/apps/{app}/messages/{kind}/{locale}'
const read = { scopes: ['apps:read', 'apps:write'], effect: 'reads', status: 200 } as const
const change = { scopes: ['apps:write'], effect: 'changes', status: 200 } as const
const ofMessage = ['app_not_found', 'message_not_found'] as const
const withBody = ['payload_too_large', 'unsupported_media_type'] as const
const ofTemplate = [
  'code_placeholder_missing',
  'unknown_placeholder',
  'link_not_allowed',
  'character_not_allowed',
] as const

export const adminMessageRoutes = {
  listMessages: {
    ...read,
    method: 'GET',
    path: '/apps/{app}/messages',
    summary: 'lists the words of each message in each language of the dialog: yours, or ours as a template',
    output: v.object({ data: v.array(message) }),
    errors: ['app_not_found'],
  },
  getMessage: {
    ...read,
    method: 'GET',
    path,
    etag: true,
    summary: 'returns the words of a message: yours, or ours as a template',
    output: message,
    errors: ofMessage,
  },
  setMessage: {
    ...change,
    method: 'PUT',
    path,
    etag: true,
    summary: 'replaces the words of a message',
    body: messageTemplateSchema,
    output: message,
    errors: [...ofMessage, ...ofTemplate, 'precondition_failed', 'idempotency_key_reused', ...withBody],
  },
  resetMessage: {
    ...change,
    method: 'DELETE',
    path,
    etag: true,
    summary: 'deletes your words, so that the message has ours',
    output: message,
    errors: [...ofMessage, 'precondition_failed', 'idempotency_key_reused'],
  },
  previewMessage: {
    ...read,
    method: 'POST',
    path: `${path}/preview`,
    summary:
      'renders a message with a made-up code. Without a body that differs from ours, it is the default message',
    body: messageTemplateSchema,
    output: v.object({
      subject: v.nullable(text),
      heading: v.nullable(text),
      text: v.string(),
      html: v.nullable(v.string()),
    }),
    errors: [...ofMessage, ...ofTemplate, ...withBody],
  },
  testMessage: {
    ...read,
    scopes: ['apps:write'],
    method: 'POST',
    path: `${path}/test`,
    summary:
      'sends a message that is marked as a test, with a made-up code that never works. Ten an hour for each app',
    body: v.object({ ...messageTemplateSchema.entries, to: text }),
    output: v.object({ to: text }),
    errors: [...ofMessage, ...ofTemplate, 'message_not_sent', 'not_supported', ...withBody],
  },
} as const satisfies AdminRoutes
