/** Compared with the RLP of ethers, at every length at which its encoding changes. */
import { concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { encodeRlp } from 'ethers'
import { describe, expect, it } from 'vitest'
import { readList, writeBytes, writeList } from './rlp.ts'

const lengths = [0, 1, 2, 54, 55, 56, 57, 255, 256, 257, 1_000, 65_535, 65_536, 70_000]
const filled = (length: number, byte = 0x81) => new Uint8Array(length).fill(byte)
const refused = expect.objectContaining({
  code: 'invalid_request_arguments',
  message: 'The transaction is malformed',
})
const bytesOf = (...parts: readonly (string | Uint8Array)[]) =>
  concatBytes(...parts.map((part) => (typeof part === 'string' ? hexToBytes(part) : part)))

describe('RLP', () => {
  it.each(lengths)('of %i bytes is encoded as by ethers, and decoded again', (length) => {
    const bytes = filled(length)
    expect(writeBytes(bytes)).toEqual(hexToBytes(encodeRlp(bytes).slice(2)))
    const list = writeList([writeBytes(bytes), writeBytes(filled(3))])
    expect(list).toEqual(hexToBytes(encodeRlp([bytes, filled(3)]).slice(2)))
    expect(readList(list)).toEqual([
      { kind: 'bytes', payload: bytes },
      { kind: 'bytes', payload: filled(3) },
    ])
  })

  it.each([0x00, 0x01, 0x7f, 0x80, 0x81, 0xff])(
    'of the single byte %i is encoded as by ethers, and decoded again',
    (byte) => {
      const bytes = Uint8Array.of(byte)
      expect(writeBytes(bytes)).toEqual(hexToBytes(encodeRlp(bytes).slice(2)))
      expect(readList(writeList([writeBytes(bytes)]))).toEqual([{ kind: 'bytes', payload: bytes }])
    },
  )

  it.each(lengths.filter((length) => length <= 1_000))(
    'recognizes a nested list of %i bytes and keeps it as it is',
    (length) => {
      const inside = filled(length, 5)
      const items = Array.from(inside, (byte) => Uint8Array.of(byte))
      const list = writeList([writeList(items), writeBytes(filled(2))])
      expect(list).toEqual(hexToBytes(encodeRlp([items, filled(2)]).slice(2)))
      expect(readList(list)).toEqual([
        { kind: 'list', payload: inside },
        { kind: 'bytes', payload: filled(2) },
      ])
    },
  )

  it.each<[string, Uint8Array, Uint8Array]>([
    ['nothing at all', bytesOf(), bytesOf('c0')],
    ['bytes instead of a list', bytesOf('83010203'), bytesOf('c3010203')],
    ['something after the list', bytesOf('c10100'), bytesOf('c101')],
    ['a list that is cut off', bytesOf('c3', '0102'), bytesOf('c2', '0102')],
    ['an item that is cut off', bytesOf('c3', '83', '0102'), bytesOf('c3', '82', '0102')],
    ['a small byte in two', bytesOf('c2', '817f'), bytesOf('c2', '8180')],
    ['a long spelling of 55 bytes', bytesOf('f839', 'b837', filled(55)), bytesOf('f83a', 'b838', filled(56))],
    ['a long spelling of a list of 55', bytesOf('f837', filled(55, 5)), bytesOf('f838', filled(56, 5))],
    [
      'a length with a zero before it',
      bytesOf('f83b', 'b90038', filled(56)),
      bytesOf('f83a', 'b838', filled(56)),
    ],
    ['a length that is cut off', bytesOf('f901'), bytesOf('f90100', filled(256, 5))],
    ['a length that is missing', bytesOf('c1', 'b8'), bytesOf('c1', '7f')],
    ['a length that nobody has', bytesOf('ff', filled(8, 0xff)), bytesOf('c8', filled(8, 5))],
  ])('is decoded strictly: not with %s', (_name, wrong, right) => {
    expect(() => readList(wrong)).toThrow(refused)
    readList(right)
  })
})
