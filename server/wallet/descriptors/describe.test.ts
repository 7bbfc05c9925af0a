/** The words of descriptors: each value comes from the request, and no value is hidden. */
import fc from 'fast-check'
import type { Hex } from 'viem'
import { expect, describe as group, test } from 'vitest'
import { type AssetNames, describe } from './describe.ts'
import { readDescriptor } from './reader/read-descriptor.ts'
import { decodeCall } from './reader/value.ts'
import {
  contract,
  listedToken,
  recipient,
  swapCall,
  swapDescriptor,
  swapSignature,
  unlistedToken,
} from './testing/samples.ts'

const names: AssetNames = {
  coin: { symbol: 'ETH', decimals: 18 },
  findToken: (address) => (address === listedToken ? { symbol: 'PRC', decimals: 6 } : undefined),
}

type Display = { formats: Record<string, unknown> }

function describeCall(data: Hex, display: Display = swapDescriptor.display, value = 0n) {
  const descriptor = readDescriptor(JSON.stringify({ ...swapDescriptor, display }))
  if (descriptor.kind !== 'contract') throw new Error('The sample describes a contract')
  const [format] = descriptor.formats.values()
  const decoded = format && decodeCall(format.function, data)
  if (!format || !decoded) return undefined
  const container = { from: recipient, to: contract, value: String(value), chainId: '1' }
  return describe({ owner: descriptor.owner, ...format }, { data: decoded, container }, names)
}

test('formats values with our assets, and lists all others raw', () => {
  expect(describeCall(swapCall(), undefined, 10n ** 17n)).toEqual({
    owner: 'Harbour',
    intent: 'Swap tokens',
    lines: [
      {
        label: 'You pay',
        value: '1.5 PRC (0x00000000000000000000000000000000000000dc)',
        isSmallestUnit: false,
      },
      { label: 'You pay', value: '7 (0x00000000000000000000000000000000000000eE)', isSmallestUnit: true },
      { label: 'Receiver', value: recipient, isSmallestUnit: false },
      { label: 'Mode', value: 'Best effort (1)', isSmallestUnit: false },
      { label: 'Until', value: '2026-02-25 06:13:20 UTC', isSmallestUnit: false },
      { label: 'Paid in coins', value: '0.1 ETH', isSmallestUnit: false },
    ],
    // `excluded` hides nothing.
    rest: [{ path: 'extra', value: '0xc0ffee' }],
  })
})

group('formats', () => {
  const one = (type: string, field: object, data: Hex) =>
    describeCall(data, {
      formats: { [`f(${type} x)`]: { intent: 'Test', fields: [{ path: 'x', label: 'X', ...field }] } },
    })?.lines[0]?.value
  const word = (value: bigint) =>
    `0x00000000${BigInt.asUintN(256, value).toString(16).padStart(64, '0')}` as Hex

  test.each([
    ['duration', 'uint256', { format: 'duration' }, 93_784n, '26:03:04'],
    ['unit', 'uint256', { format: 'unit', params: { base: '%', decimals: 2 } }, 150n, '1.5 %'],
    ['negative unit', 'int256', { format: 'unit', params: { base: 'bps' } }, -5n, '-5 bps'],
    ['date out of range', 'uint256', { format: 'date' }, 2n ** 255n, String(2n ** 255n)],
    ['block', 'uint256', { format: 'date', params: { encoding: 'blockheight' } }, 20_000_000n, '20000000'],
    ['coin', 'uint256', { format: 'amount' }, 1n, '0.000000000000000001 ETH'],
    ['amount of no number', 'bool', { format: 'amount' }, 1n, 'true'],
    ['unknown value of a list', 'uint8', { format: 'raw' }, 9n, '9'],
    [
      'part of a number',
      'uint256',
      { path: 'x.[-20:]', format: 'addressName' },
      0xaan,
      contract.replace('aa', 'AA'),
    ],
    [
      'NFT',
      'uint256',
      { format: 'nftName', params: { collection: contract } },
      5n,
      `#5 (${contract.replace('aa', 'AA')})`,
    ],
    [
      'token of the contract',
      'uint256',
      { format: 'tokenAmount', params: { tokenPath: '@.to' } },
      5n,
      `5 (${contract.replace('aa', 'AA')})`,
    ],
  ])('%s', (_name, type, field, value, expected) => {
    expect(one(type, field, word(value))?.toLowerCase()).toBe(expected.toLowerCase())
  })

  test('a sentinel address is the coin, and is shown', () => {
    const sentinel = `0x${'e'.repeat(40)}` as const
    const display = structuredClone(swapDescriptor.display) as Display
    Object.assign((display.formats[swapSignature] as { fields: object[] }).fields[0] ?? {}, {
      params: { tokenPath: 'inputs.[].tokenIn', nativeCurrencyAddress: sentinel },
    })
    const line = describeCall(swapCall([{ tokenIn: sentinel, amountIn: 5n }]), display)?.lines[0]
    expect(line?.value).toMatch(/^0\.000000000000000005 ETH \(0xEeee/)
  })
})

group('a request is not described', () => {
  test('if its data is not the exact encoding', () => {
    const data = swapCall()
    expect(describeCall(`${data}00`)).toBeUndefined()
    expect(describeCall(data.slice(0, -2) as Hex)).toBeUndefined()
  })

  test('if a path leads out of a list', () => {
    const fields = [{ path: 'inputs.[5].amountIn', label: 'Amount' }]
    expect(
      describeCall(swapCall(), { formats: { [swapSignature]: { intent: 'Swap', fields } } }),
    ).toBeUndefined()
  })

  test('if a path takes bytes that are not there', () => {
    const fields = [{ path: 'extra.[0:20]', label: 'Token' }]
    expect(
      describeCall(swapCall(), { formats: { [swapSignature]: { intent: 'Swap', fields } } }),
    ).toBeUndefined()
  })

  test('if it has more than 200 values', () => {
    const inputs = (length: number) =>
      swapCall(Array.from({ length }, () => ({ tokenIn: unlistedToken as Hex, amountIn: 1n })))
    expect(describeCall(inputs(100))?.lines).toHaveLength(104)
    expect(describeCall(inputs(5_000))).toBeUndefined()
  })
})

test('the words change with each byte of the calldata that they name', () => {
  const data = swapCall()
  const words = JSON.stringify(describeCall(data))
  const bytes = Array.from({ length: data.length / 2 - 5 }, (_, at) => 10 + 2 * at)
  for (const at of bytes) {
    const byte = Number.parseInt(data.slice(at, at + 2), 16)
    for (const other of [byte ^ 1, byte ^ 0x80, 0xff - byte]) {
      const changed = `${data.slice(0, at)}${other.toString(16).padStart(2, '0')}${data.slice(at + 2)}` as Hex
      expect([at, JSON.stringify(describeCall(changed))]).not.toEqual([at, words])
    }
  }
})

test('different calls have different words, and no value of one is missing', () => {
  const address = fc
    .uint8Array({ minLength: 20, maxLength: 20 })
    .map((bytes): Hex => `0x${Buffer.from(bytes).toString('hex')}`)
  const inputs = fc.array(
    fc.record({ tokenIn: address, amountIn: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }) }),
    {
      maxLength: 5,
    },
  )
  fc.assert(
    fc.property(inputs, inputs, (one, other) => {
      const [first, second] = [swapCall(one), swapCall(other)]
      const described = describeCall(first)
      expect(described?.lines).toHaveLength(one.length + 4)
      for (const [at, { amountIn }] of one.entries()) {
        const digits = (described?.lines[at]?.value ?? '').split(' ', 1).join('').replaceAll(/[.0]/g, '')
        expect(digits).toBe(String(amountIn).replaceAll('0', ''))
      }
      expect(JSON.stringify(described) === JSON.stringify(describeCall(second))).toBe(first === second)
    }),
  )
})
