/** What a cloud's own sign-in came to, for the one who redeems it: the wallet frame, which has it from a window of its origin. */
import * as v from 'valibot'
import { text } from '../../entities/primitives.ts'

const nonEmpty = v.pipe(text, v.nonEmpty())

export const cloudCodeSchema = v.object({
  /** The text `undefined` where its person denied. */
  authorizationCode: nonEmpty,
  stateCode: nonEmpty,
  codeVerifier: nonEmpty,
})

/** Google gives a code, Apple a session. */
export const cloudSignInSchema = v.variant('method', [
  v.object({ method: v.literal('google-drive'), code: cloudCodeSchema }),
  v.object({ method: v.literal('icloud'), session: nonEmpty }),
])
export type CloudSignIn = v.InferOutput<typeof cloudSignInSchema>
export type CloudCode = v.InferOutput<typeof cloudCodeSchema>
