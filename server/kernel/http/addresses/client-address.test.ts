import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createClientAddress } from './client-address.ts'
import { isOfOwnNetwork, parseAddress, parseNetwork } from './networks.ts'

test('without trusted proxies a forged header changes nothing', () => {
  const addressOf = createClientAddress([])
  expect(addressOf('203.0.113.7', '198.51.100.1')).toBe('203.0.113.7')
  expect(addressOf('::ffff:203.0.113.7', '198.51.100.1, 10.0.0.1')).toBe('203.0.113.7')
})

test('behind a trusted proxy the visitor is the last address that is no proxy of ours', () => {
  const addressOf = createClientAddress(['10.0.0.0/8', '192.0.2.1'])
  expect(addressOf('10.1.2.3', '198.51.100.1')).toBe('198.51.100.1')
  expect(addressOf('10.1.2.3', '1.1.1.1, 198.51.100.1, 192.0.2.1')).toBe('198.51.100.1')
  expect(addressOf('203.0.113.7', '198.51.100.1')).toBe('203.0.113.7')
})

test('loopback counts like any other address, and may be a trusted proxy', () => {
  expect(createClientAddress([])('127.0.0.1', '198.51.100.1')).toBe('127.0.0.1')
  expect(createClientAddress([])('::1', undefined)).toBe('::/64')
  expect(createClientAddress(['127.0.0.1'])('::ffff:127.0.0.1', '198.51.100.1')).toBe('198.51.100.1')
})

test('IPv6 visitors are counted by their /64', () => {
  const addressOf = createClientAddress([])
  expect(addressOf('2001:db8:1:2:3:4:5:6', undefined)).toBe('2001:db8:1:2::/64')
  expect(addressOf('2001:db8::9', undefined)).toBe('2001:db8::/64')
  expect(addressOf('2001:0db8:0000:0000:ffff::', undefined)).toBe('2001:db8::/64')
  expect(addressOf('2001:db8:0:1::9', undefined)).toBe('2001:db8:0:1::/64')
  // Node names the interface of a link-local neighbour, with any character that an interface may have.
  expect(addressOf('fe80::1%br-lan', undefined)).toBe('fe80::/64')
})

test('an IPv4 address is the same visitor however a socket or a proxy writes it', () => {
  const addressOf = createClientAddress(['::ffff:10.0.0.0/104', '2001:db8::/32'])
  for (const written of ['198.51.100.1', '::ffff:198.51.100.1', '::FFFF:c633:6401', ' 198.51.100.1 ']) {
    expect(addressOf(written, undefined), written).toBe('198.51.100.1')
    expect(addressOf('10.1.2.3', written), written).toBe('198.51.100.1')
    expect(addressOf('2001:db8::7', written), written).toBe('198.51.100.1')
  }
  expect(addressOf('11.1.2.3', '198.51.100.1')).toBe('11.1.2.3')
})

test('a port behind the address of a visitor makes no other visitor of them', () => {
  const addressOf = createClientAddress(['10.0.0.0/8'])
  for (const written of ['198.51.100.1:4711', '[::ffff:198.51.100.1]:443', '198.51.100.1']) {
    expect(addressOf('10.1.2.3', written), written).toBe('198.51.100.1')
    expect(addressOf('10.1.2.3', `${written}, 10.9.9.9:80`), written).toBe('198.51.100.1')
  }
  for (const written of ['[2001:db8:1:2::9]:443', '[2001:db8:1:2::9]', '2001:db8:1:2::9']) {
    expect(addressOf('10.1.2.3', written), written).toBe('2001:db8:1:2::/64')
  }
  expect(addressOf('10.1.2.3', '[::1]:443')).toBe('::/64')
})

test('a proxy that names no address is counted itself', () => {
  const addressOf = createClientAddress(['10.0.0.0/8'])
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
    expect(addressOf('10.1.2.3', `203.0.113.9, ${hop}`), hop).toBe('10.1.2.3')
  }
})

test('where all who are named are proxies of ours, the first of them is counted', () => {
  const addressOf = createClientAddress(['10.0.0.0/8'])
  expect(addressOf('10.1.2.3', '10.9.9.9, 10.8.8.8')).toBe('10.9.9.9')
  expect(addressOf('10.1.2.3', '198.51.100.1, 10.8.8.8')).toBe('198.51.100.1')
})

test('a socket without an address is nobody', () => {
  expect(createClientAddress(['10.0.0.0/8'])(undefined, '198.51.100.1')).toBeUndefined()
})

test('no header of any kind makes a visitor of an untrusted socket address', () => {
  const addressOf = createClientAddress(['10.0.0.0/8'])
  fc.assert(
    fc.property(fc.string(), (header) => {
      expect(addressOf('203.0.113.7', header)).toBe('203.0.113.7')
    }),
  )
})

test('whatever the last 64 bits are, an IPv6 visitor is the same, and another /64 is another', () => {
  const addressOf = createClientAddress([])
  const groups = fc.array(fc.nat(0xffff), { minLength: 4, maxLength: 4 })
  const written = (...parts: readonly number[]) => parts.map((part) => part.toString(16)).join(':')
  fc.assert(
    fc.property(groups, groups, fc.nat(0xffff), ([a = 0, b = 0, c = 0, ...end], tail, d) => {
      const counted = addressOf(written(0x2001, a, b, c, ...tail), undefined)
      expect(counted).toMatch(/::\/64$/)
      expect(addressOf(written(0x2001, a, b, c, ...end, 1, 2, 3), undefined)).toBe(counted)
      fc.pre(d !== c)
      expect(addressOf(written(0x2001, a, b, d, ...tail), undefined)).not.toBe(counted)
    }),
  )
})

test('a proxy that is no network is told at once', () => {
  expect(() => createClientAddress(['10.0.0.0/8', 'my-proxy'])).toThrow('Not a network: my-proxy')
})

test('networks are read strictly', () => {
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

test('addresses of networks of our own are told from those of visitors', () => {
  const isOwn = (text: string) => {
    const address = parseAddress(text)
    return address && isOfOwnNetwork(address)
  }
  for (const own of ['127.0.0.1', '::1', '10.1.2.3', '192.168.0.1', 'fd00::1', 'fe80::1', '100.64.0.1']) {
    expect(isOwn(own), own).toBe(true)
  }
  for (const visitor of ['203.0.113.9', '100.128.0.1', '172.32.0.1', '2001:db8::1', '8.8.8.8']) {
    expect(isOwn(visitor), visitor).toBe(false)
  }
})
