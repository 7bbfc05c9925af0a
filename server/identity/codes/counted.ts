/**
 * Codes that were sent, and what came back. Neither a mail server nor Twilio Verify tells whether a code arrived, so
 * `accepted` says that they took it; that one arrived is known when it comes back.
 */
import { product } from '@latchkey/protocol'
import { counter } from '../../kernel/telemetry/instruments.ts'
import type { CodePurpose } from './code-key.ts'

const sent = counter({
  name: `${product.key}.codes.sent`,
  unit: '{code}',
  description: 'Codes that were given to whoever sends them, and whether they were `accepted`',
  attributes: ['purpose', 'channel', 'outcome'],
})
const checked = counter({
  name: `${product.key}.codes.checked`,
  unit: '{code}',
  description: 'Codes that were typed: `right` ones have arrived, and `none` was outstanding in that browser',
  attributes: ['purpose', 'channel', 'outcome'],
})

type Counted = Pick<CodePurpose, 'name' | 'channel'>
export type SendingOutcome = 'accepted' | 'region' | 'number' | 'unsubscribed' | 'too_many' | 'failed'
export type CheckOutcome = 'right' | 'wrong' | 'none' | 'failed'

export const countSending = ({ name, channel }: Counted, outcome: SendingOutcome): void =>
  sent.add({ purpose: name, channel, outcome })
export const countCheck = ({ name, channel }: Counted, outcome: CheckOutcome): void =>
  checked.add({ purpose: name, channel, outcome })
