import { expect, test } from 'vitest'
import { newRegistry } from '../../kernel/registry.ts'
import { farcasterEnvironment } from './environment.ts'

const wrong = (FARCASTER_RELAY_URL: string) =>
  farcasterEnvironment.parse({ FARCASTER_RELAY_URL }, newRegistry('a test'))

test('a relay is an http address, and nothing before it or a slash after it', () => {
  for (const url of ['https://relay.farcaster.xyz', 'http://127.0.0.1:4025/farcaster'])
    expect(wrong(url)).toEqual([])
  for (const url of [
    'see https://relay.farcaster.xyz',
    'wss://relay.farcaster.xyz',
    'https://relay.farcaster.xyz/',
  ])
    expect(wrong(url)).toEqual([expect.stringContaining('FARCASTER_RELAY_URL')])
})
