/** What a cloud's own sign-in came to, for the one who redeems it: the wallet frame, and nobody else. */
import * as v from 'valibot'
import { text } from '../entities/primitives.ts'

const nonEmpty = v.pipe(text, v.nonEmpty())

export const cloudCodeSchema = v.object({
  /** The text `undefined` where its person denied. */
  authorizationCode: nonEmpty,
  stateCode: nonEmpty,
  codeVerifier: nonEmpty,
})
export type CloudCode = v.InferOutput<typeof cloudCodeSchema>
