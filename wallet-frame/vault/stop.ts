/** The request that stops a call, which every vault accepts. */
import * as v from 'valibot'

export const callId = v.pipe(v.string(), v.minLength(1), v.maxLength(64))
export const stopSchema = v.strictObject({ call: callId })
