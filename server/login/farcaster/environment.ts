import * as v from 'valibot'
import { environmentPart } from '../../kernel/environment.ts'

const relayUrl = v.pipe(
  v.string(),
  v.regex(/^https?:\/\/\S+[^/\s]$/, 'must be an http address without a slash at its end'),
)

export const farcasterEnvironment = environmentPart({
  FARCASTER_RELAY_URL: v.optional(relayUrl, 'https://relay.farcaster.xyz'),
})
