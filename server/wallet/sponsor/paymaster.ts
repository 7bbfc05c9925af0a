/**
 * Operations with fees that a paymaster pays, sent by a bundler: https://eips.ethereum.org/EIPS/eip-7677,
 * https://eips.ethereum.org/EIPS/eip-7769. Answers of both services are parsed strictly, and the wallet signs the fields
 * of the paymaster.
 */
import { LatchkeyError } from '@latchkey/protocol'
import {
  batchAccount,
  entryPoint,
  operationLimits,
  type Payment,
  type UserOperation,
} from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import type { Hex } from 'viem'
import { numberToHex } from 'viem/utils'
import {
  bytes,
  createNodeCaller,
  type NodeCaller,
  type PaymasterServices,
  quantity,
  toBundlerCaller,
  toPaymasterCaller,
} from '../../integrations/relays/relays.ts'
import type { ServerContext } from '../../kernel/context.ts'
import { loadOperationEncoder } from '../confirm/confirm.ts'
import { readFees } from './fees.ts'
import {
  getAuthorization,
  type PaidOperation,
  parseSignature,
  type SignedOperation,
  splitSignatures,
} from './transaction.ts'

const address = v.pipe(
  v.string(),
  v.regex(/^0x[0-9a-f]{40}$/i),
  v.transform((written) => written.toLowerCase() as Hex),
)
const gas = v.pipe(
  quantity,
  v.check((amount) => amount <= BigInt(operationLimits.maxGas)),
  v.transform(Number),
)
const paymasterData = v.pipe(
  bytes,
  v.maxLength(2 + 2 * operationLimits.maxPaymasterBytes),
  v.transform((written) => written.toLowerCase() as Hex),
)
const finalAnswer = v.object({ paymaster: address, paymasterData })
const stubAnswer = v.object({
  ...finalAnswer.entries,
  paymasterVerificationGasLimit: v.exactOptional(gas),
  paymasterPostOpGasLimit: v.exactOptional(gas),
  /** Whether this is the final answer already. */
  isFinal: v.exactOptional(v.boolean(), false),
})
const estimateAnswer = v.object({
  preVerificationGas: gas,
  verificationGasLimit: gas,
  callGasLimit: gas,
  paymasterVerificationGasLimit: v.exactOptional(gas),
  paymasterPostOpGasLimit: v.exactOptional(gas),
})

/** A signature of the usual form, with which a bundler can estimate. It is by no key of a wallet. */
const stubSignature: Hex = `0x${'f'.repeat(32)}${'0'.repeat(32)}7${'a'.repeat(63)}1c`

/** Asks paymaster and bundler for the payment and the gas of an operation. `draft` has no gas limits yet. */
export async function quotePayment(
  context: ServerContext,
  services: PaymasterServices,
  draft: UserOperation,
  sender: string,
): Promise<PaidOperation> {
  const { chainId } = draft
  const askPaymaster = toPaymasterCaller(services, chainId)
  const askBundler = toBundlerCaller(services, chainId)
  const { maxFee, priorityFee } = await readFees(createNodeCaller(context, chainId))
  const signatures =
    draft.authorizationNonce === null ? stubSignature : `${stubSignature}${stubSignature.slice(2)}`
  const toRpc = (operation: UserOperation) =>
    encodeRpcOperation({ sender, operation, signatures: signatures as Hex })
  const noGas = { preVerificationGas: 0, paymasterVerificationGasLimit: 0, paymasterPostOpGasLimit: 0 }
  const fees = { maxFeePerGas: String(maxFee), maxPriorityFeePerGas: String(priorityFee) }
  const paid = (payment: Payment, gasLimits: Partial<UserOperation> = {}): PaidOperation => ({
    ...draft,
    ...gasLimits,
    payment,
  })

  const unpaid = { ...(await toRpc(draft)), ...toRpcFees({ ...noGas, ...fees }) }
  const stub = await callPaymaster(askPaymaster, stubAnswer, 'pm_getPaymasterStubData', unpaid, chainId)
  const { paymaster, isFinal } = stub
  const stubPayment: Payment = { ...noGas, ...fees, paymaster, paymasterData: stub.paymasterData }
  const estimate = await askBundler(
    estimateAnswer,
    'eth_estimateUserOperationGas',
    await toRpc(paid(stubPayment)),
    entryPoint,
  )
  const operation = paid(
    {
      ...stubPayment,
      preVerificationGas: estimate.preVerificationGas,
      // The paymaster may know its own gas better than the bundler does.
      paymasterVerificationGasLimit:
        stub.paymasterVerificationGasLimit ?? estimate.paymasterVerificationGasLimit ?? 0,
      paymasterPostOpGasLimit: stub.paymasterPostOpGasLimit ?? estimate.paymasterPostOpGasLimit ?? 0,
    },
    { verificationGasLimit: estimate.verificationGasLimit, callGasLimit: estimate.callGasLimit },
  )
  if (isFinal) return operation
  const final = await callPaymaster(
    askPaymaster,
    finalAnswer,
    'pm_getPaymasterData',
    await toRpc(operation),
    chainId,
  )
  // The bundler estimated the gas with the first one.
  if (final.paymaster !== paymaster) {
    throw new LatchkeyError('unavailable', 'The paymaster has changed between its two answers')
  }
  return { ...operation, payment: { ...operation.payment, paymasterData: final.paymasterData } }
}

/** The last parameter is the context, which is specific to a service. */
const callPaymaster = <Schema extends v.GenericSchema>(
  ask: NodeCaller,
  schema: Schema,
  method: string,
  { signature: _, ...operation }: RpcOperation,
  chainId: number,
) => ask(schema, method, operation, entryPoint, numberToHex(chainId), {})

/** Hands the operation to the bundler. Throws `transaction_failure` if it is rejected. */
export async function sendToBundler(
  services: PaymasterServices,
  signed: SignedOperation,
  id: string,
): Promise<void> {
  const ask = toBundlerCaller(services, signed.operation.chainId)
  const hash = await ask(bytes, 'eth_sendUserOperation', await encodeRpcOperation(signed), entryPoint)
  if (hash.toLowerCase() === id) return
  throw new LatchkeyError('unavailable', 'The bundler has another hash for the operation')
}

const receiptAnswer = v.nullable(
  v.object({
    success: v.boolean(),
    /** The fee that the paymaster was charged, in wei. */
    actualGasCost: quantity,
    receipt: v.object({ transactionHash: bytes }),
  }),
)
export type PaidReceipt = NonNullable<v.InferOutput<typeof receiptAnswer>>

/** Returns null while the operation is in no block. */
export const readPaidReceipt = (
  services: PaymasterServices,
  chainId: number,
  id: string,
): Promise<PaidReceipt | null> =>
  toBundlerCaller(services, chainId)(receiptAnswer, 'eth_getUserOperationReceipt', id)

type RpcOperation = Record<string, unknown> & { signature: Hex }

/** Returns the operation as bundlers receive it. A wallet that is not delegated yet adds its authorization. */
async function encodeRpcOperation(signed: SignedOperation): Promise<RpcOperation> {
  const { operation, sender } = signed
  const { encodeOperation } = await loadOperationEncoder()
  const { packed } = encodeOperation(operation, sender)
  const { nonce, verificationGasLimit, callGasLimit, payment } = operation
  const authorization = getAuthorization(signed)
  return {
    sender,
    nonce: numberToHex(BigInt(nonce)),
    factory: '0x7702',
    factoryData: '0x',
    callData: packed.callData,
    verificationGasLimit: numberToHex(verificationGasLimit),
    callGasLimit: numberToHex(callGasLimit),
    ...(payment && {
      ...toRpcFees(payment),
      paymaster: payment.paymaster,
      paymasterVerificationGasLimit: numberToHex(payment.paymasterVerificationGasLimit),
      paymasterPostOpGasLimit: numberToHex(payment.paymasterPostOpGasLimit),
      paymasterData: payment.paymasterData,
    }),
    ...(authorization && { eip7702Auth: toRpcAuthorization(authorization) }),
    signature: splitSignatures(signed).operation,
  }
}

const toRpcFees = (
  payment: Pick<Payment, 'preVerificationGas' | 'maxFeePerGas' | 'maxPriorityFeePerGas'>,
) => ({
  preVerificationGas: numberToHex(payment.preVerificationGas),
  maxFeePerGas: numberToHex(BigInt(payment.maxFeePerGas)),
  maxPriorityFeePerGas: numberToHex(BigInt(payment.maxPriorityFeePerGas)),
})

function toRpcAuthorization({ chainId, nonce, signature }: NonNullable<ReturnType<typeof getAuthorization>>) {
  const { r, s, yParity } = parseSignature(signature)
  return {
    chainId: numberToHex(chainId),
    address: batchAccount.address,
    nonce: numberToHex(nonce),
    r,
    s,
    yParity: numberToHex(yParity),
  }
}
