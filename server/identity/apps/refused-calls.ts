/**
 * Functions that execute other calls, grant rights, or move assets of an account named in the call. Their arguments do
 * not bound their effect, so operators can not list them: the wallet page confirms each call.
 */
import { toFunctionSelector } from 'viem/utils'

/** Functions that give another party rights over the caller's assets or account. */
const rights = [
  // ERC-20, its older and its common additions
  'approve(address,uint256)',
  'increaseAllowance(address,uint256)',
  'increaseApproval(address,uint256)',
  'approve(address,uint256,uint256)',
  'approveDelegation(address,uint256)',
  'delegationWithSig(address,address,uint256,uint256,uint8,bytes32,bytes32)',
  // ERC-721, ERC-1155, ERC-6909
  'setApprovalForAll(address,bool)',
  'setOperator(address,bool)',
  // EIP-2612, DAI, ERC-4494
  'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)',
  'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)',
  'permit(address,address,uint256,uint256,bytes)',
  'permit(address,uint256,uint256,uint8,bytes32,bytes32)',
  'permit(address,uint256,uint256,bytes)',
  'selfPermit(address,uint256,uint256,uint8,bytes32,bytes32)',
  'selfPermitIfNecessary(address,uint256,uint256,uint8,bytes32,bytes32)',
  'selfPermitAllowed(address,uint256,uint256,uint8,bytes32,bytes32)',
  'selfPermitAllowedIfNecessary(address,uint256,uint256,uint8,bytes32,bytes32)',
  // Permit2
  'approve(address,address,uint160,uint48)',
  'permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)',
  'permit(address,((address,uint160,uint48,uint48)[],address,uint256),bytes)',
  'permitTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes)',
  'permitTransferFrom(((address,uint256)[],uint256,uint256),(address,uint256)[],address,bytes)',
  'permitWitnessTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes32,string,bytes)',
  'permitWitnessTransferFrom(((address,uint256)[],uint256,uint256),(address,uint256)[],address,bytes32,string,bytes)',
  'lockdown((address,address)[])',
  // ERC-777
  'authorizeOperator(address)',
  // EIP-3009
  'transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)',
  'transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)',
  'receiveWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)',
  'receiveWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)',
  // Lending and exchanges: rights over the whole position of the caller
  'allow(address,bool)',
  'allowBySig(address,address,bool,uint256,uint256,uint8,bytes32,bytes32)',
  'hope(address)',
  'setAuthorization(address,bool)',
  'setAuthorizationWithSig((address,address,bool,uint256,uint256),(uint8,bytes32,bytes32))',
  'setRelayerApproval(address,address,bool)',
  // Votes and delegates
  'delegate(address)',
  'delegateBySig(address,uint256,uint256,uint8,bytes32,bytes32)',
  'delegateByType(address,uint8)',
  'delegateByTypeBySig(address,uint8,uint256,uint256,uint8,bytes32,bytes32)',
  'metaDelegate(address,address,uint256,uint8,bytes32,bytes32)',
  'setDelegate(address)',
  'setDelegate(bytes32,address)',
  'delegateAll(address,bytes32,bool)',
  'delegateContract(address,address,bytes32,bool)',
  'delegateERC721(address,address,uint256,bytes32,bool)',
  'delegateERC20(address,address,bytes32,uint256)',
  'delegateERC1155(address,address,uint256,bytes32,uint256)',
  'delegateForAll(address,bool)',
  'delegateForContract(address,address,bool)',
  'delegateForToken(address,address,uint256,bool)',
  // Contracts: owners, roles, code
  'transferOwnership(address)',
  'acceptOwnership()',
  'setOwner(address)',
  'changeOwner(address)',
  'setAdmin(address)',
  'changeAdmin(address)',
  'setPendingAdmin(address)',
  'acceptAdmin()',
  'beginDefaultAdminTransfer(address)',
  'acceptDefaultAdminTransfer()',
  'setAuthority(address)',
  'grantRole(bytes32,address)',
  'upgradeTo(address)',
  'upgradeToAndCall(address,bytes)',
  'upgrade(address,address)',
  'upgradeAndCall(address,address,bytes)',
  'diamondCut((address,uint8,bytes4[])[],address,bytes)',
  // Safe
  'setup(address[],uint256,address,bytes,address,address,uint256,address)',
  'addOwnerWithThreshold(address,uint256)',
  'removeOwner(address,address,uint256)',
  'swapOwner(address,address,address)',
  'changeThreshold(uint256)',
  'enableModule(address)',
  'disableModule(address,address)',
  'setFallbackHandler(address)',
  'setGuard(address)',
  'setModuleGuard(address)',
  'approveHash(bytes32)',
  // ERC-7579, ERC-6900 and other smart accounts
  'installModule(uint256,address,bytes)',
  'uninstallModule(uint256,address,bytes)',
  'installExecution(address,((bytes4,bool,bool)[],(bytes4,uint32,bool)[],bytes4[]),bytes)',
  'uninstallExecution(address,((bytes4,bool,bool)[],(bytes4,uint32,bool)[],bytes4[]),bytes)',
  'installValidation(bytes25,bytes4[],bytes,bytes[])',
  'uninstallValidation(bytes24,bytes,bytes[])',
  'installPlugin(address,bytes32,bytes,bytes21[])',
  'uninstallPlugin(address,bytes,bytes)',
  'addOwner(address)',
  'addOwnerAddress(address)',
  'addOwnerPublicKey(bytes32,bytes32)',
  'removeOwnerAtIndex(uint256,bytes)',
] as const

/** Functions that move assets of an account named in the call. */
const movesTokens = [
  // ERC-20, ERC-721, ERC-1155, ERC-6909
  'transferFrom(address,address,uint256)',
  'safeTransferFrom(address,address,uint256)',
  'safeTransferFrom(address,address,uint256,bytes)',
  'safeTransferFrom(address,address,uint256,uint256,bytes)',
  'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)',
  'transferFrom(address,address,uint256,uint256)',
  'burnFrom(address,uint256)',
  // Permit2, ERC-777, Seaport's transfer helper
  'transferFrom(address,address,uint160,address)',
  'transferFrom((address,address,uint160,address)[])',
  'operatorBurn(address,uint256,bytes,bytes)',
  'bulkTransfer(((uint8,address,uint256,uint256)[],address,bool)[],bytes32)',
] as const

/** Functions that execute other calls from their arguments. */
const carriesCalls = [
  // ERC-777, ERC-677, ERC-1363
  'send(address,uint256,bytes)',
  'operatorSend(address,address,uint256,bytes,bytes)',
  'transferAndCall(address,uint256,bytes)',
  'transferAndCall(address,uint256)',
  'transferFromAndCall(address,address,uint256)',
  'transferFromAndCall(address,address,uint256,bytes)',
  'approveAndCall(address,uint256)',
  'approveAndCall(address,uint256,bytes)',
  // Several calls in one
  'multicall(bytes[])',
  'multicall(uint256,bytes[])',
  'multicall(bytes32,bytes[])',
  'multicall(address[],bytes[])',
  'multicall((address,bytes)[])',
  'multicall(address[],bytes[],uint256[])',
  'aggregate((address,bytes)[])',
  'aggregate3((address,bool,bytes)[])',
  'aggregate3Value((address,bool,uint256,bytes)[])',
  'tryAggregate(bool,(address,bytes)[])',
  'blockAndAggregate((address,bytes)[])',
  'tryBlockAndAggregate(bool,(address,bytes)[])',
  'batch(bytes[],bool)',
  'batch(bytes[])',
  'multiSend(bytes)',
  // Routers, proxies and accounts
  'execute(bytes,bytes[])',
  'execute(bytes,bytes[],uint256)',
  'execute(bytes,bytes)',
  'execute(bytes)',
  'execute(address,bytes)',
  'execute(address,uint256,bytes)',
  'execute(address,uint256,bytes,uint8)',
  'execute(address[],uint256[],bytes[])',
  'execute((address,uint256,bytes))',
  'execute((address,uint256,bytes)[])',
  'execute(bytes32,bytes)',
  'execute(uint256,address,uint256,bytes)',
  'execute(uint256[],address[],uint256[],bytes[])',
  'executeBatch(address[],bytes[])',
  'executeBatch(address[],uint256[],bytes[])',
  'executeBatch((address,uint256,bytes)[])',
  'executeBatch(uint256[],address[],uint256[],bytes[])',
  'batchExecute((address,uint256,bytes)[])',
  'call(address,uint256,bytes)',
  'exec(address,bytes)',
  'exec(address,address,uint256,address,bytes)',
  'proxy((uint8,address,uint256,bytes)[])',
  // Safe, other multisigs, timelocks, governors
  'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)',
  'execTransactionFromModule(address,uint256,bytes,uint8)',
  'execTransactionFromModuleReturnData(address,uint256,bytes,uint8)',
  'submitTransaction(address,uint256,bytes)',
  'confirmTransaction(uint256)',
  'executeTransaction(uint256)',
  'schedule(address,uint256,bytes,bytes32,bytes32,uint256)',
  'scheduleBatch(address[],uint256[],bytes[],bytes32,bytes32,uint256)',
  'execute(address,uint256,bytes,bytes32,bytes32)',
  'executeBatch(address[],uint256[],bytes[],bytes32,bytes32)',
  'propose(address[],uint256[],bytes[],string)',
  'execute(address[],uint256[],bytes[],bytes32)',
  // ERC-7579, ERC-6900, ERC-4337
  'executeFromExecutor(bytes32,bytes)',
  'executeFromPlugin(bytes)',
  'executeFromPluginExternal(address,uint256,bytes)',
  'executeWithRuntimeValidation(bytes,bytes)',
  'executeWithoutChainIdValidation(bytes[])',
  'executeUserOp((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes),bytes32)',
  'handleOps((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes)[],address)',
  'handleOps((address,uint256,bytes,bytes,uint256,uint256,uint256,uint256,uint256,bytes,bytes)[],address)',
  // Meta transactions
  'execute((address,address,uint256,uint256,uint256,bytes),bytes)',
  'execute((address,address,uint256,uint256,uint48,bytes,bytes))',
  'executeBatch((address,address,uint256,uint256,uint48,bytes,bytes)[],address)',
  'executeMetaTransaction(address,bytes,bytes32,bytes32,uint8)',
  'executeRelayCall(bytes,uint256,uint256,bytes)',
] as const

type RefusedCall = {
  signature: string
  /** The effect that the arguments do not bound. */
  carries: 'right' | 'tokens' | 'calls'
}

const rows: readonly RefusedCall[] = [
  ...rights.map((signature) => ({ signature, carries: 'right' as const })),
  ...movesTokens.map((signature) => ({ signature, carries: 'tokens' as const })),
  ...carriesCalls.map((signature) => ({ signature, carries: 'calls' as const })),
]
const refusedBySelector = new Map(rows.map((row) => [toFunctionSelector(row.signature) as string, row]))

export const findRefusedCall = (selector: string): RefusedCall | undefined => refusedBySelector.get(selector)
