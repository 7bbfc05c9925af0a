/** The hook `message.send`: a backend of the operator sends mails and texts itself. `platform/hooks` asks it. */
import type { ServerContext } from '../../kernel/context.ts'
import type { Language } from '../../kernel/languages.ts'
import { registryKey } from '../../kernel/registry.ts'
import { type Mail, mailer } from './mailer.ts'

export type OutgoingMessage = { kind: 'login_code' | 'notice'; language: Language } & (
  | { channel: 'email'; mail: Mail }
  | { channel: 'sms'; to: string; text: string }
)

/** Returns whether the backend sent the message. Otherwise the server sends it. */
type MessageHook = (context: ServerContext, appId: string, message: OutgoingMessage) => Promise<boolean>

export const messageHook = registryKey<MessageHook>('the hook of messages')

/** Sends a mail by the app's hook or by the mail server. Rejects if neither accepted it. */
export async function sendMail(
  context: ServerContext,
  appId: string,
  { mail, ...message }: Pick<OutgoingMessage, 'kind' | 'language'> & { mail: Mail },
): Promise<void> {
  const { ports } = context
  if (await messageHook.get(ports)(context, appId, { ...message, channel: 'email', mail })) return
  await mailer.get(ports).send(mail)
}
