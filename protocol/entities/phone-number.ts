import * as v from 'valibot'

/** A phone number on the wire: '+', calling code, optional space, number. The SMS provider checks whether it exists. */
export const phoneNumber = v.pipe(
  v.string(),
  v.trim(),
  v.regex(/^\+[1-9][0-9]{0,2} ?[0-9]{3,14}$/, 'Not a phone number'),
)
