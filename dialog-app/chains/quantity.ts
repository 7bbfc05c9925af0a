/** Numbers as chains write them. */
import * as v from 'valibot'

export const quantity = v.pipe(
  v.string(),
  v.regex(/^0x[0-9a-fA-F]{1,64}$/),
  v.transform((written) => BigInt(written)),
)

export const toQuantity = (value: bigint) => `0x${value.toString(16)}`
