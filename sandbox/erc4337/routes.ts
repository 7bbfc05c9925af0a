/**
 * A bundler and a paymaster service: JSON-RPC at addresses that contain an API key.
 * https://eips.ethereum.org/EIPS/eip-7769, https://eips.ethereum.org/EIPS/eip-7677
 *
 * The paymaster pays for every operation. Its final data is `0x01`; the bundler rejects any other.
 */
import {
  createClient,
  type Hex,
  http,
  publicActions,
  type SignedAuthorization,
  testActions,
  walletActions,
} from 'viem'
import {
  entryPoint08Abi,
  entryPoint08Address,
  getUserOperationHash,
  toPackedUserOperation,
  type UserOperation,
} from 'viem/account-abstraction'
import { hexToBigInt, hexToNumber, isHex, numberToHex, parseEventLogs } from 'viem/utils'
import type { FaultSwitch } from '../faults.ts'
import { type Route, readJson, sendJson } from '../http.ts'

const paymaster = '0x00000000000000000000000000000000000a4337'
const otherPaymaster = '0x00000000000000000000000000000000000b4337'
/** Returns no context and no limits: MSTORE(0, 0x40), RETURN(0, 0x60). */
const paymasterCode = '0x60405f5260605ff3'
const deposit = 10n ** 19n

type RpcCall = { id: unknown; method: string; params: unknown[] }
class RpcFailure extends Error {
  code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** Codes of ERC-7769. */
const rejectedByPaymaster = -32_501
const expired = -32_503

const stubData = '0x00'
const finalData = '0x01'
const expiredData = '0x02'

export function erc4337Routes(chainUrl: string, chainId: number, faults: FaultSwitch): Route[] {
  const node = createClient({ transport: http(chainUrl), pollingInterval: 10 })
    .extend(publicActions)
    .extend(walletActions)
    .extend(testActions({ mode: 'anvil' }))
  /** Creates the paymaster on the chain, once. Returns the account that sends transactions. */
  async function prepare(): Promise<Hex> {
    const sender = (await node.getAddresses()).at(-1)
    if (sender === undefined) throw new Error('The chain has no account that sends')
    await node.setCode({ address: paymaster, bytecode: paymasterCode })
    await node.writeContract({
      account: sender,
      chain: null,
      address: entryPoint08Address,
      abi: entryPoint08Abi,
      functionName: 'depositTo',
      args: [paymaster],
      value: deposit,
    })
    return sender
  }
  let prepared: Promise<Hex> | undefined
  /** The transactions by the hash of their operation. */
  const sent = new Map<string, Hex>()

  async function askPaymaster({ method }: RpcCall) {
    const fault = await faults.afterStall('erc4337')
    if (fault === 'refuses') throw new RpcFailure(-32_000, 'The policy does not cover this operation')
    const isStub = method === 'pm_getPaymasterStubData'
    if (!isStub && method !== 'pm_getPaymasterData') throw new RpcFailure(-32_601, 'Unknown method')
    if (isStub) {
      const isFinal = fault === 'garbage' ? 'yes' : fault === 'wrong-final'
      return {
        paymaster,
        paymasterData: stubData,
        paymasterVerificationGasLimit: numberToHex(60_000),
        paymasterPostOpGasLimit: numberToHex(1),
        isFinal,
      }
    }
    return {
      paymaster: fault === 'changed' ? otherPaymaster : paymaster,
      paymasterData: fault === 'expired' ? expiredData : finalData,
    }
  }

  async function askBundler({ method, params: [first] }: RpcCall) {
    if ((await faults.afterStall('erc4337')) === 'bundler-failing')
      throw new RpcFailure(-32_603, 'Internal error')
    switch (method) {
      case 'eth_estimateUserOperationGas':
        return {
          preVerificationGas: numberToHex(60_000),
          verificationGasLimit: numberToHex(150_000),
          callGasLimit: numberToHex(200_000),
          paymasterVerificationGasLimit: numberToHex(50_000),
          paymasterPostOpGasLimit: numberToHex(1),
        }
      case 'eth_sendUserOperation':
        return sendOperation(readOperation(first))
      case 'eth_getUserOperationReceipt':
        return readReceipt(String(first))
      default:
        throw new RpcFailure(-32_601, 'Unknown method')
    }
  }

  async function sendOperation({ operation, authorization }: ReadOperation): Promise<Hex> {
    if (operation.paymasterData === expiredData)
      throw new RpcFailure(expired, 'AA32 paymaster expired or not due')
    if (operation.paymasterData !== finalData)
      throw new RpcFailure(rejectedByPaymaster, 'AA34 signature error of the paymaster')
    prepared ??= prepare()
    const sender = await prepared
    const hash = getUserOperationHash({
      chainId,
      entryPointAddress: entryPoint08Address,
      entryPointVersion: '0.8',
      userOperation: operation,
    })
    const transaction = await node.writeContract({
      account: sender,
      chain: null,
      address: entryPoint08Address,
      abi: entryPoint08Abi,
      functionName: 'handleOps',
      args: [[toPackedUserOperation(operation)], sender],
      gas: 2_000_000n,
      ...(authorization && { authorizationList: [authorization] }),
    })
    sent.set(hash, transaction)
    return hash
  }

  async function readReceipt(hash: string) {
    const transaction = sent.get(hash)
    const receipt =
      transaction && (await node.getTransactionReceipt({ hash: transaction }).catch(() => undefined))
    if (!receipt) return null
    const [event] = parseEventLogs({
      abi: entryPoint08Abi,
      eventName: 'UserOperationEvent',
      logs: receipt.logs,
      args: { userOpHash: hash as Hex },
    })
    if (!event) return null
    const { success, actualGasCost } = event.args
    return {
      success,
      actualGasCost: numberToHex(actualGasCost),
      receipt: { transactionHash: receipt.transactionHash },
    }
  }

  const rpcRoute = (path: RegExp, answer: (call: RpcCall) => Promise<unknown>): Route => ({
    method: 'POST',
    path,
    handle: async ({ request, response }) => {
      const { id = null, method = '', params = [] } = Object(await readJson(request)) as Partial<RpcCall>
      const outcome = await answer({ id, method, params }).then(
        (result) => ({ result }),
        (error: unknown) => ({
          error: { code: error instanceof RpcFailure ? error.code : -32_500, message: String(error) },
        }),
      )
      sendJson(response, { jsonrpc: '2.0', id, ...outcome })
    },
  })
  return [
    rpcRoute(/^\/erc4337\/bundler\/[\w-]+$/, askBundler),
    rpcRoute(/^\/erc4337\/paymaster\/[\w-]+$/, askPaymaster),
  ]
}

/** The contract that the hash of an operation names. */
const accountContract = '0xe6cae83bde06e4c305530e199d7217f42808555b'
const noSignature = { r: '0x', s: '0x', yParity: 0 } as const

type ReadOperation = {
  operation: UserOperation<'0.8'>
  /** The authorization of a wallet that is not delegated yet. */
  authorization: SignedAuthorization | undefined
}

/** Reads an operation from its JSON. */
function readOperation(written: unknown): ReadOperation {
  const fields = Object(written)
  const readNumber = (name: string) => (isHex(fields[name]) ? hexToBigInt(fields[name]) : 0n)
  const { eip7702Auth: written7702 } = fields
  const operation = {
    sender: fields.sender,
    nonce: readNumber('nonce'),
    factory: fields.factory,
    factoryData: fields.factoryData,
    callData: fields.callData,
    callGasLimit: readNumber('callGasLimit'),
    verificationGasLimit: readNumber('verificationGasLimit'),
    preVerificationGas: readNumber('preVerificationGas'),
    maxFeePerGas: readNumber('maxFeePerGas'),
    maxPriorityFeePerGas: readNumber('maxPriorityFeePerGas'),
    paymaster: fields.paymaster,
    paymasterData: fields.paymasterData,
    paymasterVerificationGasLimit: readNumber('paymasterVerificationGasLimit'),
    paymasterPostOpGasLimit: readNumber('paymasterPostOpGasLimit'),
    signature: fields.signature,
    authorization: { address: accountContract, chainId: 0, nonce: 0, ...noSignature },
  } as const
  if (written7702 === undefined) return { operation, authorization: undefined }
  const { address, chainId, nonce, r, s, yParity } = written7702
  const authorization = {
    address,
    chainId: hexToNumber(chainId),
    nonce: hexToNumber(nonce),
    r,
    s,
    yParity: hexToNumber(yParity),
  }
  return { operation, authorization }
}
