/** The result of a cloud sign-in. A window of the wallet origin passes it to the wallet frame, which redeems it. */
import * as v from 'valibot'
import { text } from '../../entities/primitives.ts'

const nonEmpty = v.pipe(text, v.nonEmpty())

export const cloudCodeSchema = v.object({
  /** The text `undefined` if the user denied access. */
  authorizationCode: nonEmpty,
  stateCode: nonEmpty,
  codeVerifier: nonEmpty,
})

/** Google returns a code, Apple a session. */
export const cloudSignInSchema = v.variant('method', [
  v.object({ method: v.literal('google-drive'), code: cloudCodeSchema }),
  v.object({ method: v.literal('icloud'), session: nonEmpty }),
])
export type CloudSignIn = v.InferOutput<typeof cloudSignInSchema>
export type CloudCode = v.InferOutput<typeof cloudCodeSchema>
