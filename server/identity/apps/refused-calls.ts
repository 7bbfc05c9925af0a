/**
 * Functions that carry other calls, or give somebody a right to act later. What one of them does is not in its own
 * arguments' worth, so no list lets a card or nobody approve it: it is shown on a page of its own.
 */

type Refused = {
  readonly signature: string
  /** `right`: somebody may take or act later. `calls`: what it does is in the calls that it carries. */
  readonly carries: 'right' | 'calls'
}
const right = (signature: string): Refused => ({ signature, carries: 'right' })
const calls = (signature: string): Refused => ({ signature, carries: 'calls' })

const refused: Readonly<Record<string, Refused>> = {
  // ERC-20, its older and its common additions
  '0x095ea7b3': right('approve(address,uint256)'),
  '0x39509351': right('increaseAllowance(address,uint256)'),
  '0xd73dd623': right('increaseApproval(address,uint256)'),
  '0x426a8493': right('approve(address,uint256,uint256)'),
  '0xc04a8a10': right('approveDelegation(address,uint256)'),
  // ERC-721, ERC-1155, ERC-6909
  '0xa22cb465': right('setApprovalForAll(address,bool)'),
  '0x558a7297': right('setOperator(address,bool)'),
  // EIP-2612, DAI, ERC-4494
  '0xd505accf': right('permit(address,address,uint256,uint256,uint8,bytes32,bytes32)'),
  '0x8fcbaf0c': right('permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)'),
  '0x9fd5a6cf': right('permit(address,address,uint256,uint256,bytes)'),
  '0x7ac2ff7b': right('permit(address,uint256,uint256,uint8,bytes32,bytes32)'),
  '0x745a41bc': right('permit(address,uint256,uint256,bytes)'),
  // Permit2
  '0x87517c45': right('approve(address,address,uint160,uint48)'),
  '0x2b67b570': right('permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)'),
  '0x2a2d80d1': right('permit(address,((address,uint160,uint48,uint48)[],address,uint256),bytes)'),
  '0x30f28b7a': right(
    'permitTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes)',
  ),
  '0xedd9444b': right(
    'permitTransferFrom(((address,uint256)[],uint256,uint256),(address,uint256)[],address,bytes)',
  ),
  // ERC-777
  '0x959b8c3f': right('authorizeOperator(address)'),
  '0x9bd9bbc6': calls('send(address,uint256,bytes)'),
  '0x62ad1b83': calls('operatorSend(address,address,uint256,bytes,bytes)'),
  // EIP-3009
  '0xe3ee160e': right(
    'transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)',
  ),
  '0xcf092995': right('transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)'),
  '0xef55bec6': right(
    'receiveWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)',
  ),
  '0x88b7ab63': right('receiveWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)'),
  // ERC-677, ERC-1363
  '0x4000aea0': calls('transferAndCall(address,uint256,bytes)'),
  '0x1296ee62': calls('transferAndCall(address,uint256)'),
  '0xd8fbe994': calls('transferFromAndCall(address,address,uint256)'),
  '0xc1d34b89': calls('transferFromAndCall(address,address,uint256,bytes)'),
  '0x3177029f': right('approveAndCall(address,uint256)'),
  '0xcae9ca51': right('approveAndCall(address,uint256,bytes)'),
  // Rights over contracts, votes and accounts
  '0x5c19a95c': right('delegate(address)'),
  '0xf2fde38b': right('transferOwnership(address)'),
  '0x2f2ff15d': right('grantRole(bytes32,address)'),
  '0x3659cfe6': right('upgradeTo(address)'),
  '0x4f1ef286': right('upgradeToAndCall(address,bytes)'),
  '0x0d582f13': right('addOwnerWithThreshold(address,uint256)'),
  '0x13af4035': right('setOwner(address)'),
  '0xa6f9dae1': right('changeOwner(address)'),
  '0xe318b52b': right('swapOwner(address,address,address)'),
  '0x610b5925': right('enableModule(address)'),
  // Several calls in one
  '0xac9650d8': calls('multicall(bytes[])'),
  '0x5ae401dc': calls('multicall(uint256,bytes[])'),
  '0x1f0464d1': calls('multicall(bytes32,bytes[])'),
  '0x252dba42': calls('aggregate((address,bytes)[])'),
  '0x82ad56cb': calls('aggregate3((address,bool,bytes)[])'),
  '0x174dea71': calls('aggregate3Value((address,bool,uint256,bytes)[])'),
  '0xbce38bd7': calls('tryAggregate(bool,(address,bytes)[])'),
  '0xc3077fa9': calls('blockAndAggregate((address,bytes)[])'),
  '0x399542e9': calls('tryBlockAndAggregate(bool,(address,bytes)[])'),
  '0xd2423b51': calls('batch(bytes[],bool)'),
  '0x8d80ff0a': calls('multiSend(bytes)'),
  // Routers and accounts that carry out whatever they are handed
  '0x24856bc3': calls('execute(bytes,bytes[])'),
  '0x3593564c': calls('execute(bytes,bytes[],uint256)'),
  '0xb61d27f6': calls('execute(address,uint256,bytes)'),
  '0xe9ae5c53': calls('execute(bytes32,bytes)'),
  '0x44c028fe': calls('execute(uint256,address,uint256,bytes)'),
  '0x09c5eabe': calls('execute(bytes)'),
  '0x1cff79cd': calls('execute(address,bytes)'),
  '0x18dfb3c7': calls('executeBatch(address[],bytes[])'),
  '0x47e1da2a': calls('executeBatch(address[],uint256[],bytes[])'),
  '0x34fcd5be': calls('executeBatch((address,uint256,bytes)[])'),
  '0x6a761202': calls(
    'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)',
  ),
  '0x468721a7': calls('execTransactionFromModule(address,uint256,bytes,uint8)'),
  '0x5229073f': calls('execTransactionFromModuleReturnData(address,uint256,bytes,uint8)'),
}

export const refusedCalls: readonly (readonly [selector: string, refused: Refused])[] =
  Object.entries(refused)

export const refusedCall = (selector: string): Refused | undefined =>
  Object.hasOwn(refused, selector) ? refused[selector] : undefined
