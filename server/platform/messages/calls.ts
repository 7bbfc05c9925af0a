/** Calls of the Admin API about the operator's words of mails and texts. */
import {
  type AdminMessage,
  adminLimits,
  adminMessageRoutes,
  type MessageKind,
  type MessageTemplate,
  messageKindNames,
} from '@latchkey/protocol/admin'
import { oneLine } from '../../integrations/mail/mail.ts'
import {
  assertTemplate,
  fillText,
  listTemplates,
  messageLocales,
  removeTemplate,
  type StoredTemplate,
  storeTemplate,
} from '../../integrations/templates/templates.ts'
import { consume } from '../../kernel/attempts/attempts.ts'
import type { ServerContext } from '../../kernel/context.ts'
import {
  type AdminCall,
  type AdminEndpoint,
  AdminError,
  adminChange,
  adminRead,
} from '../../kernel/http/admin-endpoint.ts'
import { nowSeconds, type Reader } from '../../kernel/ports.ts'
import { assertMatches, digestObject, formatTime } from '../admin/admin.ts'
import { getOurTemplate, renderMessage, sendTestMessage } from './messages.ts'

type MessageKey = { kind: MessageKind; locale: string }
type MessageCall = Pick<AdminCall, 'appId' | 'params'>

function requireKey({ params }: MessageCall): MessageKey {
  const kind = messageKindNames.find((name) => name === params.kind)
  const locale = messageLocales.find((tag) => tag.toLowerCase() === params.locale?.toLowerCase())
  if (kind !== undefined && locale !== undefined) return { kind, locale }
  const detail =
    kind === undefined
      ? `The kinds are ${messageKindNames.join(', ')}`
      : `The locales are those of the dialog: ${messageLocales.join(', ')}`
  throw new AdminError('message_not_found', detail)
}

function describeMessage({ kind, locale }: MessageKey, templates: StoredTemplate[]): AdminMessage {
  const own = templates.find((each) => each.kind === kind && each.locale === locale)
  const { subject, heading, blocks } = own ?? getOurTemplate(kind, locale)
  const updatedAt = own ? formatTime(own.updatedAt) : null
  return { kind, locale, isOwn: own !== undefined, subject, heading, blocks, updatedAt }
}

async function readMessage(reader: Reader, appId: string, key: MessageKey) {
  const output = describeMessage(key, await listTemplates(reader, appId))
  return { output, digest: digestObject(output) }
}

async function toMessage({ apps }: ServerContext, call: MessageCall & { body: MessageTemplate }) {
  const { kind, locale } = requireKey(call)
  const app = await apps.find(call.appId)
  if (!app) throw new AdminError('app_not_found', `There is no app ${call.appId}`)
  const ours = getOurTemplate(kind, locale)
  const { subject, heading, blocks } = call.body
  const isOurs = JSON.stringify(ours) === JSON.stringify({ subject, heading, blocks })
  if (!isOurs) assertTemplate(kind, call.body)
  return { app, kind, language: locale, template: isOurs ? undefined : { subject, heading, blocks } }
}

async function consumeTest({ db, clock }: ServerContext, appId: string): Promise<void> {
  const quotas = [{ limit: adminLimits.testMessagesPerHour, windowSeconds: 3_600 }]
  const key = `message-test|${appId}`
  const allowance = await consume(db, { key, quotas, nowSeconds: nowSeconds(clock) })
  if (allowance.allowed) return
  const { retryAfterSeconds } = allowance
  throw new AdminError('too_many_requests', 'Send the next test later', { retryAfterSeconds })
}

export const messageEndpoints: AdminEndpoint[] = [
  adminRead(adminMessageRoutes.listMessages, async ({ appId }, { db }) => {
    const templates = await listTemplates(db, appId)
    const keys = messageKindNames.flatMap((kind) => messageLocales.map((locale) => ({ kind, locale })))
    return { output: { data: keys.map((key) => describeMessage(key, templates)) } }
  }),

  adminRead(adminMessageRoutes.getMessage, (call, { db }) => readMessage(db, call.appId, requireKey(call))),

  adminChange(adminMessageRoutes.setMessage, async (trx, call, { clock }) => {
    const { appId, body } = call
    const key = requireKey(call)
    assertTemplate(key.kind, body)
    const { digest: before } = await readMessage(trx, appId, key)
    assertMatches(call, before)
    await storeTemplate(trx, clock, { appId, ...key }, body)
    return { ...(await readMessage(trx, appId, key)), before }
  }),

  adminChange(adminMessageRoutes.resetMessage, async (trx, call) => {
    const { appId } = call
    const key = requireKey(call)
    const { digest: before } = await readMessage(trx, appId, key)
    assertMatches(call, before)
    await removeTemplate(trx, { appId, ...key })
    return { ...(await readMessage(trx, appId, key)), before }
  }),

  adminRead(adminMessageRoutes.previewMessage, async (call, context) => {
    const message = await toMessage(context, call)
    const rendered = await renderMessage(context, message)
    if (rendered.channel === 'sms') {
      return { output: { subject: null, heading: null, text: rendered.text, html: null } }
    }
    const { subject, text, html } = rendered.mail
    const { heading } = call.body
    const filled = heading === null ? null : fillText(heading, { app: oneLine(message.app.name) })
    return { output: { subject, heading: filled, text, html } }
  }),

  adminRead(adminMessageRoutes.testMessage, async (call, context) => {
    const message = await toMessage(context, call)
    await consumeTest(context, call.appId)
    const { to } = call.body
    await sendTestMessage(context, message, await renderMessage(context, message), to)
    return { output: { to } }
  }),
]
