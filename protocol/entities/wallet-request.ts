import * as v from 'valibot'
import { walletSizes } from '../limits.ts'
import { text } from './primitives.ts'

const option = v.exactOptional

/** Texts that a host may put on the sign screen. */
export const signUiSchema = v.object({
  title: option(v.pipe(v.string(), v.maxLength(120))),
  description: option(v.pipe(v.string(), v.maxLength(500))),
  buttonText: option(v.pipe(v.string(), v.maxLength(60))),
  iconUrl: option(v.pipe(text, v.startsWith('https://'))),
})
export type SignUi = v.InferOutput<typeof signUiSchema>

export const messageToSign = v.pipe(
  v.string(),
  v.nonEmpty('Message must be a non-empty string'),
  v.check(
    (message) => new TextEncoder().encode(message).length <= walletSizes.maxMessageBytes,
    'Message is too long to sign',
  ),
  // A lone surrogate has no UTF-8 form: another text than the one shown would be signed.
  v.check((message) => message.isWellFormed(), 'Message is not well-formed text'),
)
