import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createClientAddress } from './client-address.ts'
import { isPrivateAddress, parseAddress, parseNetwork } from './networks.ts'

test('ignores a forged header without trusted proxies', () => {
  const getAddress = createClientAddress([])
  expect(getAddress('203.0.113.7', '198.51.100.1')).toBe('203.0.113.7')
  expect(getAddress('::ffff:203.0.113.7', '198.51.100.1, 10.0.0.1')).toBe('203.0.113.7')
})

test('returns the last address that is no trusted proxy', () => {
  const getAddress = createClientAddress(['10.0.0.0/8', '192.0.2.1'])
  expect(getAddress('10.1.2.3', '198.51.100.1')).toBe('198.51.100.1')
  expect(getAddress('10.1.2.3', '1.1.1.1, 198.51.100.1, 192.0.2.1')).toBe('198.51.100.1')
  expect(getAddress('203.0.113.7', '198.51.100.1')).toBe('203.0.113.7')
})

test('loopback counts like any other address and may be a trusted proxy', () => {
  expect(createClientAddress([])('127.0.0.1', '198.51.100.1')).toBe('127.0.0.1')
  expect(createClientAddress([])('::1', undefined)).toBe('::/64')
  expect(createClientAddress(['127.0.0.1'])('::ffff:127.0.0.1', '198.51.100.1')).toBe('198.51.100.1')
})

test('counts IPv6 clients by their /64', () => {
  const getAddress = createClientAddress([])
  expect(getAddress('2001:db8:1:2:3:4:5:6', undefined)).toBe('2001:db8:1:2::/64')
  expect(getAddress('2001:db8::9', undefined)).toBe('2001:db8::/64')
  expect(getAddress('2001:0db8:0000:0000:ffff::', undefined)).toBe('2001:db8::/64')
  expect(getAddress('2001:db8:0:1::9', undefined)).toBe('2001:db8:0:1::/64')
  // Node appends the zone of a link-local neighbour, which may contain any character of an interface name.
  expect(getAddress('fe80::1%br-lan', undefined)).toBe('fe80::/64')
})

test('recognises an IPv4 address in every notation of sockets and proxies', () => {
  const getAddress = createClientAddress(['::ffff:10.0.0.0/104', '2001:db8::/32'])
  for (const written of ['198.51.100.1', '::ffff:198.51.100.1', '::FFFF:c633:6401', ' 198.51.100.1 ']) {
    expect(getAddress(written, undefined), written).toBe('198.51.100.1')
    expect(getAddress('10.1.2.3', written), written).toBe('198.51.100.1')
    expect(getAddress('2001:db8::7', written), written).toBe('198.51.100.1')
  }
  expect(getAddress('11.1.2.3', '198.51.100.1')).toBe('11.1.2.3')
})

test('ignores a port after the address', () => {
  const getAddress = createClientAddress(['10.0.0.0/8'])
  for (const written of ['198.51.100.1:4711', '[::ffff:198.51.100.1]:443', '198.51.100.1']) {
    expect(getAddress('10.1.2.3', written), written).toBe('198.51.100.1')
    expect(getAddress('10.1.2.3', `${written}, 10.9.9.9:80`), written).toBe('198.51.100.1')
  }
  for (const written of ['[2001:db8:1:2::9]:443', '[2001:db8:1:2::9]', '2001:db8:1:2::9']) {
    expect(getAddress('10.1.2.3', written), written).toBe('2001:db8:1:2::/64')
  }
  expect(getAddress('10.1.2.3', '[::1]:443')).toBe('::/64')
})

test('counts a proxy itself if it forwards no address', () => {
  const getAddress = createClientAddress(['10.0.0.0/8'])
  for (const hop of [
    '',
    'unknown',
    '198.51.100.1:port',
    '[198.51.100.1',
    '010.0.0.1',
    '0x0a.1.2.3',
    '10.1',
    '198.51.100',
  ]) {
    expect(getAddress('10.1.2.3', `203.0.113.9, ${hop}`), hop).toBe('10.1.2.3')
  }
})

test('counts the first proxy if all forwarded addresses are trusted proxies', () => {
  const getAddress = createClientAddress(['10.0.0.0/8'])
  expect(getAddress('10.1.2.3', '10.9.9.9, 10.8.8.8')).toBe('10.9.9.9')
  expect(getAddress('10.1.2.3', '198.51.100.1, 10.8.8.8')).toBe('198.51.100.1')
})

test('returns undefined for a socket without an address', () => {
  expect(createClientAddress(['10.0.0.0/8'])(undefined, '198.51.100.1')).toBeUndefined()
})

test('no forwarding header changes the address of an untrusted socket', () => {
  const getAddress = createClientAddress(['10.0.0.0/8'])
  fc.assert(
    fc.property(fc.string(), (header) => {
      expect(getAddress('203.0.113.7', header)).toBe('203.0.113.7')
    }),
  )
})

test('ignores the last 64 bits of an IPv6 address and distinguishes /64 networks', () => {
  const getAddress = createClientAddress([])
  const groups = fc.array(fc.nat(0xffff), { minLength: 4, maxLength: 4 })
  const written = (...parts: readonly number[]) => parts.map((part) => part.toString(16)).join(':')
  fc.assert(
    fc.property(groups, groups, fc.nat(0xffff), ([a = 0, b = 0, c = 0, ...end], tail, d) => {
      const counted = getAddress(written(0x2001, a, b, c, ...tail), undefined)
      expect(counted).toMatch(/::\/64$/)
      expect(getAddress(written(0x2001, a, b, c, ...end, 1, 2, 3), undefined)).toBe(counted)
      fc.pre(d !== c)
      expect(getAddress(written(0x2001, a, b, d, ...tail), undefined)).not.toBe(counted)
    }),
  )
})

test('throws for a trusted proxy that is no network', () => {
  expect(() => createClientAddress(['10.0.0.0/8', 'my-proxy'])).toThrow('Not a network: my-proxy')
})

test('parses networks strictly', () => {
  for (const bad of [
    '',
    'proxy',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '::/129',
    '10.0.0/8',
    '1.2.3.4/-1',
    '010.0.0.0/8',
    '0x0a.0.0.0/8',
    '10/8',
    '10.0.0.0/8 ',
    '1.2.3.256',
    '::1::',
    '1:2:3:4:5:6:7:8:9',
  ]) {
    expect(parseNetwork(bad), bad).toBeUndefined()
  }
  for (const [good, address, prefix] of [
    ['::1', '::1', 128],
    ['2001:db8::/32', '2001:db8::', 32],
    ['10.0.0.0/8', '10.0.0.0', 8],
    ['192.0.2.1', '192.0.2.1', 32],
    ['::ffff:10.0.0.0/104', '10.0.0.0', 8],
    ['::ffff:0.0.0.0/96', '0.0.0.0', 0],
    ['::ffff:0.0.0.0/95', '::ffff:0:0', 95],
    ['2001:db8::/104', '2001:db8::', 104],
  ] as const) {
    const network = parseNetwork(good)
    expect([network?.[0].toString(), network?.[1]], good).toEqual([address, prefix])
  }
})

test('distinguishes private addresses from public ones', () => {
  const isOwn = (text: string) => {
    const address = parseAddress(text)
    return address && isPrivateAddress(address)
  }
  for (const own of ['127.0.0.1', '::1', '10.1.2.3', '192.168.0.1', 'fd00::1', 'fe80::1', '100.64.0.1']) {
    expect(isOwn(own), own).toBe(true)
  }
  for (const visitor of ['203.0.113.9', '100.128.0.1', '172.32.0.1', '2001:db8::1', '8.8.8.8']) {
    expect(isOwn(visitor), visitor).toBe(false)
  }
})
