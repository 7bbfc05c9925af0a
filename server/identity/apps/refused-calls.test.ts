import { toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import { findRefusedCall } from './refused-calls.ts'

test.each([
  ['0x095ea7b3', 'approve(address,uint256)', 'right'],
  ['0xd505accf', 'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)', 'right'],
  ['0x2b67b570', 'permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)', 'right'],
  ['0xc3cda520', 'delegateBySig(address,uint256,uint256,uint8,bytes32,bytes32)', 'right'],
  ['0x9517e29f', 'installModule(uint256,address,bytes)', 'right'],
  ['0x23b872dd', 'transferFrom(address,address,uint256)', 'tokens'],
  ['0x42842e0e', 'safeTransferFrom(address,address,uint256)', 'tokens'],
  ['0x36c78516', 'transferFrom(address,address,uint160,address)', 'tokens'],
  ['0xac9650d8', 'multicall(bytes[])', 'calls'],
  ['0x3593564c', 'execute(bytes,bytes[],uint256)', 'calls'],
  [
    '0x6a761202',
    'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)',
    'calls',
  ],
])('the selector %s is refused as %s', (selector, signature, carries) => {
  expect(findRefusedCall(selector)).toEqual({ signature, carries })
})

test.each([
  'increaseAllowance(address,uint256)',
  'setApprovalForAll(address,bool)',
  'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)',
  'selfPermit(address,uint256,uint256,uint8,bytes32,bytes32)',
  'approve(address,address,uint160,uint48)',
  'permit(address,((address,uint160,uint48,uint48)[],address,uint256),bytes)',
  'permitTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes)',
  'permitWitnessTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes32,string,bytes)',
  'lockdown((address,address)[])',
  'authorizeOperator(address)',
  'delegate(address)',
  'delegateByType(address,uint8)',
  'setDelegate(bytes32,address)',
  'delegateAll(address,bytes32,bool)',
  'delegationWithSig(address,address,uint256,uint256,uint8,bytes32,bytes32)',
  'allow(address,bool)',
  'setAuthorization(address,bool)',
  'transferOwnership(address)',
  'acceptOwnership()',
  'grantRole(bytes32,address)',
  'upgradeTo(address)',
  'upgradeToAndCall(address,bytes)',
  'diamondCut((address,uint8,bytes4[])[],address,bytes)',
  'addOwnerWithThreshold(address,uint256)',
  'removeOwner(address,address,uint256)',
  'swapOwner(address,address,address)',
  'enableModule(address)',
  'setFallbackHandler(address)',
  'setGuard(address)',
  'uninstallModule(uint256,address,bytes)',
  'installExecution(address,((bytes4,bool,bool)[],(bytes4,uint32,bool)[],bytes4[]),bytes)',
  'installValidation(bytes25,bytes4[],bytes,bytes[])',
  'addOwnerAddress(address)',
  'addOwnerPublicKey(bytes32,bytes32)',
  'safeTransferFrom(address,address,uint256,bytes)',
  'safeTransferFrom(address,address,uint256,uint256,bytes)',
  'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)',
  'transferFrom(address,address,uint256,uint256)',
  'transferFrom((address,address,uint160,address)[])',
  'burnFrom(address,uint256)',
  'approveAndCall(address,uint256,bytes)',
  'transferAndCall(address,uint256,bytes)',
  'send(address,uint256,bytes)',
  'multicall(uint256,bytes[])',
  'multicall(bytes32,bytes[])',
  'multicall(address[],bytes[])',
  'multicall((address,bytes)[])',
  'aggregate((address,bytes)[])',
  'aggregate3((address,bool,bytes)[])',
  'tryAggregate(bool,(address,bytes)[])',
  'execute(bytes,bytes[])',
  'execute(bytes,bytes)',
  'execute(address,uint256,bytes)',
  'execute(address,uint256,bytes,uint8)',
  'execute((address,uint256,bytes)[])',
  'execute(bytes32,bytes)',
  'executeFromExecutor(bytes32,bytes)',
  'executeBatch((address,uint256,bytes)[])',
  'executeUserOp((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes),bytes32)',
  'handleOps((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes)[],address)',
  'executeMetaTransaction(address,bytes,bytes32,bytes32,uint8)',
  'execTransactionFromModule(address,uint256,bytes,uint8)',
  'schedule(address,uint256,bytes,bytes32,bytes32,uint256)',
])('no list may contain %s', (signature) => {
  expect(findRefusedCall(toFunctionSelector(signature))).toMatchObject({ signature })
})

test('a list may contain transfers of the user’s own tokens, and JavaScript property names are not selectors', () => {
  expect(findRefusedCall(toFunctionSelector('transfer(address,uint256)'))).toBeUndefined()
  expect(findRefusedCall('constructor')).toBeUndefined()
})
