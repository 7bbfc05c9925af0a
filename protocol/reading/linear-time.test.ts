/** Every parser of untrusted text takes linear time, so that one request cannot block a server or freeze a page. */
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { parseTypedData } from '../capabilities/sign/typed-data.ts'
import { encodeTypedData } from '../capabilities/sign/typed-data-bytes.ts'
import { findNamedChain } from '../chains/known.ts'
import { phoneNumber } from '../entities/phone-number.ts'
import { base64url, emailAddress, id, verificationCode } from '../entities/primitives.ts'
import { hex } from '../entities/wallets/chain-primitives.ts'
import { trimTrailing } from '../names/trim-trailing.ts'
import { exactOrigin, isOriginListed } from '../origins/origins.ts'
import { isOnSameHost } from '../origins/own-addresses.ts'
import { toMessageParts } from './shown-message.ts'
import { findPersonalSignInDomains, findSignInDomains } from './sign-in-message.ts'
import { slowRepetitions } from './testing/linear-time.ts'
import { parseTokenAction } from './token-action.ts'
import { analyzeTypedData } from './typed-data-meaning.ts'
import { toTypedDataTree } from './typed-data-tree.ts'

const token = { address: '0x00000000000000000000000000000000000000aa', symbol: 'PRC', decimals: 6 }
const own = ['https://dialog.example', 'https://*.preview.example']

describe.each<[string, (text: string) => unknown]>([
  ['sign-in domains', findSignInDomains],
  ['a message to sign', findPersonalSignInDomains],
  ['a shown message', toMessageParts],
  ['a token call', (text) => parseTokenAction(token, text, (address) => address)],
  ['the data of a token call', (text) => parseTokenAction(token, `0xa9059cbb${text}`, (address) => address)],
  ['an origin', exactOrigin],
  ['a listed origin', (text) => isOriginListed(`https://${text}.preview.example`, own)],
  ['an address of our own', (text) => isOnSameHost(`https://${text}`, own)],
  ['trailing characters', (text) => trimTrailing(`${text}x`, text[0] ?? '')],
])('the parser of %s', (_name, read) => {
  test('takes linear time for long repetitions', () => {
    expect(slowRepetitions(read)).toEqual([])
  })
})

test.each(Object.entries({ phoneNumber, base64url, emailAddress, id, verificationCode, hex }))(
  'the schema %s takes linear time for long repetitions',
  (_name, schema) => {
    expect(slowRepetitions((text) => v.safeParse(schema, text))).toEqual([])
  },
)

test('an e-mail address takes linear time for a long domain', () => {
  expect(slowRepetitions((text) => v.safeParse(emailAddress, `ada@${text}`))).toEqual([])
})

test.each([
  ['type', (text: string) => typedData({ type: text })],
  ['name of a type', (text: string) => typedData({ struct: text })],
  ['value', (text: string) => typedData({ value: text })],
])('typed data takes linear time for a long %s', (_part, compose) => {
  const read = (text: string) => {
    const data = parseTypedData(text, { maxBytes: 4_000_000 })
    toTypedDataTree(data)
    analyzeTypedData(data)
    encodeTypedData(data, () => new Uint8Array(32))
  }
  expect(slowRepetitions(read, compose)).toEqual([])
})

test('an explorer address takes linear time for many slashes', () => {
  const chain = (explorerUrl: string) => ({
    id: 1,
    name: 'One',
    symbol: 'ONE',
    decimals: 18,
    explorerUrl,
    rpcUrl: 'https://rpc.example',
  })
  expect(
    slowRepetitions((text) => findNamedChain({ chains: [chain(`https://a.example${text}x`)] }, 1)),
  ).toEqual([])
})

function typedData({ type = 'string', struct = 'Note', value = 'x' }): string {
  return JSON.stringify({
    types: { [struct]: [{ name: 'what', type }] },
    primaryType: struct,
    domain: {},
    message: { what: value },
  })
}
