import { toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import { refusedCall, refusedCalls } from './refused-calls.ts'

test.each(refusedCalls)('%s is the selector of what it is said to be', (selector, { signature }) => {
  expect(toFunctionSelector(signature)).toBe(selector)
})

test.each([
  'approve(address,uint256)',
  'increaseAllowance(address,uint256)',
  'increaseApproval(address,uint256)',
  'setApprovalForAll(address,bool)',
  'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)',
  'authorizeOperator(address)',
  'approveAndCall(address,uint256,bytes)',
  'transferAndCall(address,uint256,bytes)',
  'send(address,uint256,bytes)',
  'multicall(bytes[])',
  'multicall(uint256,bytes[])',
  'execute(bytes,bytes[],uint256)',
  'execute(address,uint256,bytes)',
  'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)',
  'aggregate3((address,bool,bytes)[])',
])('%s is in no list', (signature) => {
  expect(refusedCall(toFunctionSelector(signature))).toMatchObject({ signature })
})

test('what moves something now and no more may be listed, and a name of JavaScript is no selector', () => {
  expect(refusedCall(toFunctionSelector('transfer(address,uint256)'))).toBeUndefined()
  expect(refusedCall('constructor')).toBeUndefined()
})
