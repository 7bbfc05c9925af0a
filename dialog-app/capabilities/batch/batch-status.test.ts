import type { BatchReceipt } from '@latchkey/protocol/host'
import { describe, expect, test } from 'vitest'
import { getOutcomes, getStatus } from './batch-status.ts'

const receipt = (status: BatchReceipt['status'], transactionHash: string): BatchReceipt => ({
  logs: [],
  status,
  blockHash: '0xb',
  blockNumber: '0x1',
  gasUsed: '0x5208',
  transactionHash,
})
/** One letter for each call: succeeded, reverted, waiting, not sent. */
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
  ])('of %s, after the page stopped sending, is %i', (calls, status) => {
    expect(getStatus(known(calls))).toBe(status)
  })

  test.each([
    ['--', 100],
    ['s-', 100],
    ['sw', 100],
    ['ss', 200],
  ])('of %s, while the page sends it, is %i', (calls, status) => {
    expect(getStatus(known(calls, true))).toBe(status)
  })

  test('has an outcome for each call', () => {
    expect(getOutcomes(known('srw-'))).toEqual(['succeeded', 'reverted', 'waiting', 'not-sent'])
    expect(getOutcomes(known('s-', true))).toEqual(['succeeded', 'waiting'])
  })
})
