/** EIP-4361, rule by rule: https://eips.ethereum.org/EIPS/eip-4361 */
import { describe, expect, test } from 'vitest'
import { assertExpected, readEthereumMessage } from './message.ts'
import vectors from './testing/spruce-siwe.json' with { type: 'json' }

const address = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'

/** The lines of a message. Tests change some. */
const lines = {
  first: 'example.com wants you to sign in with your Ethereum account:',
  address,
  before: '',
  statement: 'I accept the Terms of Service: https://example.com/tos',
  after: '',
  uri: 'URI: https://example.com',
  version: 'Version: 1',
  chain: 'Chain ID: 1',
  nonce: 'Nonce: 32891756',
  issued: 'Issued At: 2021-09-30T16:25:24Z',
}
type Line = keyof typeof lines
const written = (changes: Partial<Record<Line, string | null>> = {}, ...more: readonly string[]) =>
  [...Object.values({ ...lines, ...changes }).filter((line) => line !== null), ...more].join('\n')

const refused = (reason: string) => expect.objectContaining({ code: 'invalid_message', details: { reason } })

const resource = '- https://example.com/my-web2-claim.json'
const issuedAt = Date.UTC(2021, 8, 30, 16, 25, 24) / 1_000

describe('parsing a message', () => {
  test('returns all fields', () => {
    const text = written({}, 'Expiration Time: 2021-10-30T16:25:24Z', 'Not Before: 2021-08-30T16:25:24Z')
    expect(readEthereumMessage(text)).toEqual({
      text,
      scheme: undefined,
      domain: 'example.com',
      address,
      statement: lines.statement,
      uri: 'https://example.com',
      chain: 'eip155:1',
      nonce: '32891756',
      issuedAt,
      expiresAt: Date.UTC(2021, 9, 30, 16, 25, 24) / 1_000,
      notBefore: Date.UTC(2021, 7, 30, 16, 25, 24) / 1_000,
      resources: [],
    })
  })

  test('accepts a missing statement, and keeps the order of resources', () => {
    const other = 'ipfs://bafybeiemxf5abjwjbikoz4mc3a3dla6ual3jsgpdr4cjr3oz3evfyavhwq/'
    expect(
      readEthereumMessage(written({ statement: null }, 'Resources:', resource, `- ${other}`)),
    ).toMatchObject({
      statement: undefined,
      resources: ['https://example.com/my-web2-claim.json', other],
    })
  })

  test.each<[string, string]>([
    ['a port', written({ first: lines.first.replace('.com', '.com:3388') })],
    ['a scheme', written({ first: `https://${lines.first}` })],
    ['a scheme and a port', written({ first: `https://${lines.first.replace('.com', '.com:3388')}` })],
    ['an address of IPv4', written({ first: lines.first.replace('example.com', '127.0.0.1:4361') })],
    ['an address of IPv6', written({ first: lines.first.replace('example.com', '[::1]:4361') })],
    ['a name of one label', written({ first: lines.first.replace('example.com', 'localhost') })],
    ['no statement', written({ statement: null })],
    ['a statement of every sign that one may have', written({ statement: "aZ 09-._~:/?#[]@!$&'()*+,;=" })],
    ['a longer URI', written({ uri: 'URI: https://example.com/login?a=b#c' })],
    [
      'a URI of another kind',
      written({ uri: 'URI: did:key:z6Mkf5rGMoatrSj1f4CyvuHBeXJELe9RPdzo2PKGNCKVtZxP' }),
    ],
    ['fractions of a second', written({ issued: 'Issued At: 2021-09-30T16:25:24.123456Z' })],
    ['an offset from UTC', written({ issued: 'Issued At: 2021-09-30T18:25:24+02:00' })],
    ['the last day of a leap year’s February', written({ issued: 'Issued At: 2024-02-29T16:25:24Z' })],
    ['an expiration time', written({}, 'Expiration Time: 2100-01-07T14:31:43.952Z')],
    ['a time before which it is not valid', written({}, 'Not Before: 2021-01-07T14:31:43.952Z')],
    ['a request id', written({}, 'Request ID: 200')],
    ['an empty request id', written({}, 'Request ID: ')],
    ['no resources under their title', written({}, 'Resources:')],
    ['one resource', written({}, 'Resources:', resource)],
    [
      'several, of several kinds',
      written(
        {},
        'Resources:',
        '- ipfs://bafybeiemxf5abjwjbikoz4mc3a3dla6ual3jsgpdr4cjr3oz3evfyavhwq/',
        resource,
      ),
    ],
    [
      'all of it',
      written(
        {},
        'Expiration Time: 2100-01-07T14:31:43.952Z',
        'Not Before: 2021-01-07T14:31:43.952Z',
        'Request ID: some_id',
        'Resources:',
        resource,
      ),
    ],
  ])('accepts a message with %s', (_name, text) => {
    expect(readEthereumMessage(text)).toMatchObject({ address, chain: 'eip155:1', nonce: '32891756' })
  })
})

describe('rejecting a message', () => {
  const notBefore = 'Not Before: 2021-01-07T14:31:43.952Z'
  const expires = 'Expiration Time: 2100-01-07T14:31:43.952Z'
  test.each<[string, string]>([
    ['nothing', ''],
    ['any text', 'Let me in'],
    [
      'one whose first line is another',
      written({ first: 'example.com wants you to log in with your Ethereum account:' }),
    ],
    ['one without a domain', written({ first: lines.first.replace('example.com', '') })],
    ['one of a domain with a path', written({ first: lines.first.replace('.com', '.com/login') })],
    ['one of a domain with a query', written({ first: lines.first.replace('.com', '.com?a') })],
    ['one of a domain with a fragment', written({ first: lines.first.replace('.com', '.com#a') })],
    ['one without its address', written({ address: null })],
    ['one of an address without its checksum', written({ address: address.toLowerCase() })],
    ['one of an address with a wrong checksum', written({ address: address.replace('C02', 'c02') })],
    ['one of a short address', written({ address: address.slice(0, -1) })],
    ['one of a name instead of an address', written({ address: 'vitalik.eth' })],
    ['one without the line before its statement', written({ before: null })],
    ['one without the line after its statement', written({ after: null })],
    ['one of two statements', written({ statement: 'One\nTwo' })],
    ['one whose statement has letters beyond ASCII', written({ statement: 'Å' })],
    ['one without a URI', written({ uri: null })],
    ['one whose URI is none', written({ uri: 'URI: //example.com' })],
    ['one without a version', written({ version: null })],
    ['one of another version', written({ version: 'Version: 2' })],
    ['one without a chain', written({ chain: null })],
    ['one whose chain is no number', written({ chain: 'Chain ID: mainnet' })],
    ['one without a nonce', written({ nonce: null })],
    ['one whose nonce is short', written({ nonce: 'Nonce: 1234567' })],
    ['one whose nonce has other signs', written({ nonce: 'Nonce: 3289-1756' })],
    ['one without its time', written({ issued: null })],
    ['one whose time has no offset', written({ issued: 'Issued At: 2021-09-30T16:25:24' })],
    ['one whose time is a day', written({ issued: 'Issued At: 2021-09-30' })],
    ['one of the 31st of February', written({ issued: 'Issued At: 2022-02-31T16:25:24Z' })],
    ['one of the 29th of February in another year', written({ issued: 'Issued At: 2023-02-29T16:25:24Z' })],
    ['one of a leap second', written({ issued: 'Issued At: 2016-12-31T23:59:60Z' })],
    ['one of a 25th hour', written({ issued: 'Issued At: 2021-09-30T25:25:24Z' })],
    ['one that ends on such a day', written({}, 'Expiration Time: 2100-02-31T14:31:43.952Z')],
    ['one that begins on such a day', written({}, 'Not Before: 2025-02-31T17:09:38.578Z')],
    ['one whose lines are in another order', written({}, notBefore, expires)],
    ['one that says a line twice', written({ version: 'Version: 1\nVersion: 1' })],
    ['one whose resource is no URI', written({}, 'Resources:', '- an apple')],
    ['one whose resource has no dash', written({}, 'Resources:', 'https://example.com')],
    ['one with more at its end', written({}, '')],
    ['one with other line ends', written().replaceAll('\n', '\r\n')],
    ['one with a space before it', ` ${written()}`],
  ])('rejects a message with: %s', (_name, text) => {
    expect(() => readEthereumMessage(text)).toThrow(refused('format'))
  })
})

describe('the shared test vectors', () => {
  test.each(Object.entries(vectors.positive))('accepts the vector: %s', (_name, { message, fields }) => {
    const { version, issuedAt, chainId, ...same } = fields
    expect(version).toBe('1')
    expect(readEthereumMessage(message)).toEqual({
      text: message,
      scheme: undefined,
      statement: undefined,
      expiresAt: undefined,
      notBefore: undefined,
      resources: [],
      ...same,
      chain: `eip155:${chainId}`,
      issuedAt: Math.floor(Date.parse(issuedAt) / 1_000),
    })
  })

  /** RFC 3986 allows an underscore in a host, and the other vector has 'Version: 1'. The set was corrected later. */
  const mistaken = ['domain not RFC4501 authority', 'version not 1']
  const refusedOnes = Object.entries(vectors.negative)

  test.each(refusedOnes.filter(([name]) => !mistaken.includes(name)))(
    'rejects the vector: %s',
    (_name, text) => {
      expect(() => readEthereumMessage(text)).toThrow(refused('format'))
    },
  )

  test.each(refusedOnes.filter(([name]) => mistaken.includes(name)))(
    'accepts a vector that an older set rejects: %s',
    (_name, text) => {
      expect(readEthereumMessage(text)).toMatchObject({ text, nonce: '12341234' })
    },
  )

  test('has 8 valid and 34 invalid vectors', () => {
    expect(Object.keys(vectors.positive)).toHaveLength(8)
    expect(Object.keys(vectors.negative)).toHaveLength(34)
  })
})

describe('comparing a message', () => {
  const now = issuedAt + 60
  const expected = { origin: 'https://example.com', address, chainId: 'eip155:1', nonceMadeAt: issuedAt, now }
  const compare = (text: string, changes: Partial<typeof expected> = {}) =>
    assertExpected(readEthereumMessage(text), { ...expected, ...changes })

  test('accepts the expected message', () => {
    compare(written())
    compare(written({ first: `https://${lines.first}` }))
    compare(written({}, 'Resources:', resource))
  })

  const own = { first: lines.first.replace('.com', '.com:3388'), uri: 'URI: https://example.com:3388' }
  test('accepts a port if the page has one', () => {
    compare(written(own), { origin: 'https://example.com:3388' })
    expect(() => compare(written(own))).toThrow(refused('domain'))
    expect(() => compare(written(), { origin: 'https://example.com:3388' })).toThrow(refused('domain'))
  })

  test.each<[string, string, Partial<typeof expected>]>([
    ['domain', written({ first: lines.first.replace('example.com', 'evil.example') }), {}],
    ['domain', written({ first: lines.first.replace('example.com', 'app.example.com') }), {}],
    ['domain', written({ first: lines.first.replace('example.com', 'ada@example.com') }), {}],
    ['domain', written({ first: `http://${lines.first}` }), {}],
    ['uri', written({ uri: 'URI: https://evil.example' }), {}],
    ['uri', written({ uri: 'URI: http://example.com' }), {}],
    ['uri', written({ uri: 'URI: https://example.com/login' }), {}],
    ['address', written({ address: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359' }), {}],
    ['chain', written({ chain: 'Chain ID: 10' }), {}],
    ['chain', written(), { chainId: 'eip155:10' }],
    ['issued_at', written(), { now: issuedAt - 301, nonceMadeAt: issuedAt - 301 }],
    ['issued_at', written(), { nonceMadeAt: issuedAt + 301 }],
    ['expired', written({}, 'Expiration Time: 2021-09-30T16:26:24Z'), {}],
    ['not_yet_valid', written({}, 'Not Before: 2021-09-30T16:26:25Z'), {}],
  ])('rejects a wrong %s: %#', (reason, text, changes) => {
    expect(() => compare(text, changes)).toThrow(refused(reason))
  })

  test('compares times to the second, with five minutes of clock skew', () => {
    compare(written(), { now: issuedAt - 300, nonceMadeAt: issuedAt - 300 })
    compare(written(), { nonceMadeAt: issuedAt + 300 })
    compare(written({}, 'Expiration Time: 2021-09-30T16:26:25Z'))
    compare(written({}, 'Not Before: 2021-09-30T16:26:24Z'))
  })
})
