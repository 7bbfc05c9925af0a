import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createClientAddress } from './client-address.ts'
import { parseNetwork } from './networks.ts'

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

test('loopback is nobody, unless it is a trusted proxy that says who it is', () => {
  expect(createClientAddress([])('127.0.0.1', '198.51.100.1')).toBeUndefined()
  expect(createClientAddress([])('::1', undefined)).toBeUndefined()
  expect(createClientAddress(['127.0.0.1'])('::ffff:127.0.0.1', '198.51.100.1')).toBe('198.51.100.1')
})

test('IPv6 visitors are counted by their /64', () => {
  const addressOf = createClientAddress([])
  expect(addressOf('2001:db8:1:2:3:4:5:6', undefined)).toBe('2001:db8:1:2::/64')
  expect(addressOf('2001:db8::9', undefined)).toBe('2001:db8:0:0::/64')
  expect(addressOf('2001:0db8:0000:0000:ffff::', undefined)).toBe('2001:db8:0:0::/64')
})

test('no header of any kind makes a visitor of an untrusted socket address', () => {
  const addressOf = createClientAddress(['10.0.0.0/8'])
  fc.assert(
    fc.property(fc.string(), (header) => {
      expect(addressOf('203.0.113.7', header)).toBe('203.0.113.7')
    }),
  )
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
  ]) {
    expect(parseNetwork(bad), bad).toBeUndefined()
  }
  expect(parseNetwork('::1')).toEqual({ address: '::1', prefix: 128, family: 'ipv6' })
})
