import * as v from 'valibot'
import { environmentPart } from '../../kernel/environment.ts'

/** The operator's Farcaster account, which requests signers. */
export type AppAccount = {
  fid: number
  /** The private key of the account's custody address. */
  privateKey: `0x${string}`
}

const pattern = /^([1-9][0-9]{0,14}):(0x[0-9a-fA-F]{64})$/

export const signerEnvironment = environmentPart(
  {
    FARCASTER_API_URL: v.optional(
      v.pipe(
        v.string(),
        v.regex(/^https?:\/\/\S+[^/\s]$/, 'must be an http address without a slash at its end'),
      ),
      'https://api.farcaster.xyz',
    ),
    FARCASTER_APP: v.optional(
      v.pipe(
        v.string(),
        v.regex(pattern, 'must be <fid>:<private key of its custody address, 0x and 64 digits>'),
        v.transform((value): AppAccount => {
          const [, fid, privateKey = ''] = pattern.exec(value) ?? []
          return { fid: Number(fid), privateKey: `0x${privateKey.slice(2)}` }
        }),
      ),
    ),
  },
  {
    FARCASTER_API_URL: 'The API that delivers signer requests to a phone with Farcaster.',
    FARCASTER_APP: {
      meaning:
        'The account that requests signers: `<fid>:<private key of its custody address>`. Without it there are no signers.',
      isSecret: true,
    },
  },
)
