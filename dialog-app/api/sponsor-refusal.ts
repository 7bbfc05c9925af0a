import { LatchkeyError } from '@latchkey/protocol'

/** The errors of an operator that does not pay these fees now. The wallet may pay them. */
const refusals: LatchkeyError['code'][] = [
  'not_supported',
  'transaction_failure',
  'too_many_requests',
  'unavailable',
]

/** Resolves with the quote of the operator, or with its reason not to pay. */
export const catchRefusal = <Quote>(quote: Promise<Quote>): Promise<Quote | LatchkeyError> =>
  quote.catch((error: unknown) => {
    if (error instanceof LatchkeyError && refusals.includes(error.code)) return error
    throw error
  })
