import { registryKey } from '../../kernel/registry.ts'
import type { SmsRefusal } from './verifier.ts'

export type SmsText = { e164: string; text: string }
export type TextSending = { type: 'sent' } | SmsRefusal

/** Sends words of ours, which `SmsVerifier` can not. It answers, also where nobody took the message. */
export type SmsTexter = { send: (message: SmsText, signal?: AbortSignal) => Promise<TextSending> }

/** Undefined where the operator named nobody. */
export const smsTexter = registryKey<SmsTexter | undefined>('the sender of SMS texts')
