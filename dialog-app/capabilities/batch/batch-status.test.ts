import type { BatchReceipt } from '@latchkey/protocol/host'
import { describe, expect, test } from 'vitest'
import { outcomesOf, statusOf } from './batch-status.ts'

const receipt = (status: BatchReceipt['status'], transactionHash: string): BatchReceipt => ({
  logs: [],
  status,
  blockHash: '0xb',
  blockNumber: '0x1',
  gasUsed: '0x5208',
  transactionHash,
})
/** A letter a call: succeeded, reverted, in no block yet, not sent. */
const known = (calls: string, isRunning = false) => ({
  entries: [...calls].map((call, at) => ({ hash: call === '-' ? null : `0x${at}` })),
  receipts: new Map(
    [...calls].flatMap((call, at) =>
      call === 's' || call === 'r'
        ? [[`0x${at}`, receipt(call === 's' ? '0x1' : '0x0', `0x${at}`)] as const]
        : [],
    ),
  ),
  isRunning,
})

describe('the status of a batch, by EIP-5792', () => {
  test.each([
    ['s', 200],
    ['ss', 200],
    ['--', 400],
    ['-', 400],
    ['r-', 500],
    ['r', 500],
    ['sr', 600],
    ['s-', 600],
    ['sr-', 600],
    ['w', 100],
    ['sw', 100],
    ['w-', 100],
  ])('of %s, where nobody is at it any more, is %i', (calls, status) => {
    expect(statusOf(known(calls))).toBe(status)
  })

  test.each([
    ['--', 100],
    ['s-', 100],
    ['sw', 100],
    ['ss', 200],
  ])('of %s, while this page is at it, is %i', (calls, status) => {
    expect(statusOf(known(calls, true))).toBe(status)
  })

  test('says of each call what became of it', () => {
    expect(outcomesOf(known('srw-'))).toEqual(['succeeded', 'reverted', 'waiting', 'not-sent'])
    expect(outcomesOf(known('s-', true))).toEqual(['succeeded', 'waiting'])
  })
})
