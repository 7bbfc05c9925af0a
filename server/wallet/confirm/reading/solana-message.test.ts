import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { readRequest } from './read-request.ts'

const wallet = 'HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk'
const read = (message: string, publicKey = wallet) =>
  readRequest({ method: 'signMessage', params: [message, publicKey] }, wallet)

test('the digest of a message for a Solana wallet is the SHA-256 of its UTF-8', () => {
  const digest = `0x${createHash('sha256').update('Grüße, 🔑').digest('hex')}`
  expect(read('Grüße, 🔑')).toEqual({ kind: 'message', isText: true, signInDomains: [], digest })
})

test.each([
  ['text that the server accepts as an address proof', 'latchkey/wallet-proof/1\n', 'invalid_message'],
  ['a lone surrogate', '\ud800', 'invalid_message'],
])('%s is rejected', (_what, message, code) => {
  expect(() => read(message)).toThrow(expect.objectContaining({ code }))
})

test('another address is rejected, and so is the own one in another letter case', () => {
  const refused = expect.objectContaining({ code: 'invalid_data' })
  expect(() => read('hello', wallet.toLowerCase())).toThrow(refused)
  expect(() => read('hello')).not.toThrow()
})
