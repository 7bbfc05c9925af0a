import * as v from 'valibot'

/**
 * A phone number as it is written on the wire: '+', the calling code, a space, then the number. The space may be
 * left out. Whether there is such a number in that country is for who sends something to it.
 */
export const phoneNumber = v.pipe(
  v.string(),
  v.trim(),
  v.regex(/^\+[1-9][0-9]{0,2} ?[0-9]{3,14}$/, 'Not a phone number'),
)
