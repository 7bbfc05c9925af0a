import { registryKey } from '../../kernel/registry.ts'
import type { SmsRefusal } from './verifier.ts'

export type SmsText = { e164: string; text: string }
export type TextResult = { type: 'sent' } | SmsRefusal

/** Sends arbitrary texts, which `SmsVerifier` can not. Resolves to a refusal if the message was not accepted. */
export type SmsTexter = { send: (message: SmsText, signal?: AbortSignal) => Promise<TextResult> }

/** Undefined if SMS texts are not configured. */
export const smsTexter = registryKey<SmsTexter | undefined>('the SMS texter')
