/**
 * A Solana cluster of one node: LiteSVM behind JSON-RPC. It verifies signatures and executes programs. Every transaction
 * is final at once. Only tests start it, because `litesvm` is a development dependency.
 * https://solana.com/docs/rpc/http
 */
import {
  address,
  type Blockhash,
  type EncodedAccount,
  getBase58Decoder,
  getTransactionDecoder,
  lamports,
  type Signature,
} from '@solana/kit'
import { FailedTransactionMetadata, LiteSVM } from 'litesvm'
import { allowCrossOrigin } from '../cross-origin.ts'
import { type Route, readJson, sendJson, startHttp } from '../http.ts'
import { createKora } from './kora.ts'

export type SolanaNode = {
  url: string
  /** A Kora service, which has SOL. */
  koraUrl: string
  latestBlockhash: () => Blockhash
  /** Ends the latest blockhash. A new one follows. */
  expireBlockhash: () => void
  stop: () => Promise<void>
}

const KORA_LAMPORTS = 10_000_000_000n

/** An error of the node. https://github.com/anza-xyz/agave: `rpc_custom_error` */
class RpcError extends Error {
  code: number
  data: unknown
  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

export async function startSolanaNode({ host = '127.0.0.1', port = 0 } = {}): Promise<SolanaNode> {
  const svm = new LiteSVM()
  const kora = await createKora()
  svm.airdrop(kora.address, lamports(KORA_LAMPORTS))
  /** Advances with each transaction, as LiteSVM produces no blocks. */
  let height = 1

  const inContext = (value: unknown) => ({ context: { slot: height, apiVersion: '3.0.0' }, value })

  function sendTransaction(wire: unknown, { skipPreflight = false } = {}): string {
    const transaction = decodeTransaction(wire)
    const signature = Object.values(transaction.signatures)[0]
    if (!signature) throw new RpcError(-32_003, 'Transaction signature verification failure')
    if (!skipPreflight) requireSuccess(svm.simulateTransaction(transaction))
    svm.sendTransaction(transaction)
    height += 1
    return encodeBase58(signature)
  }

  function withSignatures<T>(areVerified: boolean, run: () => T): T {
    svm.withSigverify(areVerified)
    try {
      return run()
    } finally {
      svm.withSigverify(true)
    }
  }

  /** Executes a transaction without submitting it. By default its signatures are not verified. */
  function simulateTransaction(wire: unknown, { sigVerify = false, accounts }: SimulationOptions = {}) {
    const transaction = decodeTransaction(wire)
    const simulated = withSignatures(sigVerify, () => svm.simulateTransaction(transaction))
    const isFailed = simulated instanceof FailedTransactionMetadata
    const changed = new Map(isFailed ? [] : simulated.postAccounts().map((each) => [each.address, each]))
    const findAccount = (named: string) => {
      const account = changed.get(address(named))
      return account ? toJsonAccount(account) : null
    }
    return inContext({
      err: isFailed ? toJsonError(simulated) : null,
      logs: simulated.meta().logs(),
      accounts: isFailed || !accounts ? null : accounts.addresses.map(findAccount),
      unitsConsumed: Number(simulated.meta().computeUnitsConsumed()),
      returnData: null,
    })
  }

  function getAccount(account: unknown) {
    const stored = svm.getAccount(address(String(account)))
    return stored.exists ? toJsonAccount(stored) : null
  }

  function getStatus(signature: string) {
    const done = svm.getTransaction(signature as Signature)
    if (!done) return null
    const err = done instanceof FailedTransactionMetadata ? toJsonError(done) : null
    const status = err === null ? { Ok: null } : { Err: err }
    return { slot: height, confirmations: null, err, status, confirmationStatus: 'finalized' }
  }

  const methods: Readonly<Record<string, (...params: never[]) => unknown>> = {
    getBalance: (account: string) => inContext(Number(svm.getBalance(address(account)) ?? 0n)),
    getAccountInfo: (account: string) => inContext(getAccount(account)),
    getMultipleAccounts: (accounts: string[]) => inContext(accounts.map(getAccount)),
    getLatestBlockhash: () =>
      inContext({ blockhash: svm.latestBlockhash(), lastValidBlockHeight: height + 150 }),
    isBlockhashValid: (blockhash: string) => inContext(blockhash === svm.latestBlockhash()),
    getSignatureStatuses: (signatures: string[]) => inContext(signatures.map(getStatus)),
    getBlockHeight: () => height,
    getSlot: () => height,
    requestAirdrop(account: string, amount: number) {
      const pay = () => svm.airdrop(address(account), lamports(BigInt(amount)))
      let paid = pay()
      if (paid instanceof FailedTransactionMetadata && toJsonError(paid) === 'AlreadyProcessed') {
        // The same payment with the same blockhash is the same transaction.
        svm.expireBlockhash()
        paid = pay()
      }
      if (!paid || paid instanceof FailedTransactionMetadata) throw new RpcError(-32_603, 'Internal error')
      return encodeBase58(paid.signature())
    },
    sendTransaction,
    simulateTransaction,
  }

  const rpc: Route = {
    method: 'POST',
    path: /^\/$/,
    async handle({ request, response }) {
      const { id = null, method, params } = Object(await readJson(request))
      try {
        const run = methods[String(method)]
        if (!run) throw new RpcError(-32_601, 'Method not found')
        sendJson(response, { jsonrpc: '2.0', id, result: run(...((params ?? []) as never[])) })
      } catch (error) {
        const { code = -32_602, message, data } = error as RpcError
        sendJson(response, { jsonrpc: '2.0', id, error: { code, message, data } })
      }
    },
  }
  const health: Route = {
    method: 'GET',
    path: /^\/healthz$/,
    handle: ({ response }) => sendJson(response, { ok: true }),
  }
  const http = await startHttp({
    host,
    port,
    routes: [health, kora.route, ...allowCrossOrigin([rpc], 'content-type, solana-client')],
  })

  return {
    url: `http://${host}:${http.port}`,
    koraUrl: `http://${host}:${http.port}/kora`,
    latestBlockhash: () => svm.latestBlockhash(),
    expireBlockhash: () => svm.expireBlockhash(),
    stop: http.stop,
  }
}

type SimulationOptions = { sigVerify?: boolean; accounts?: { addresses: string[] } }

const toJsonAccount = ({ data, executable, lamports, programAddress }: EncodedAccount) => ({
  data: [Buffer.from(data).toString('base64'), 'base64'],
  executable,
  lamports: Number(lamports),
  owner: programAddress,
  rentEpoch: 0,
  space: data.length,
})

const encodeBase58 = (bytes: Uint8Array) => getBase58Decoder().decode(bytes)

function decodeTransaction(wire: unknown) {
  try {
    return getTransactionDecoder().decode(Buffer.from(String(wire), 'base64'))
  } catch {
    throw new RpcError(-32_602, 'failed to deserialize solana_transaction::versioned::VersionedTransaction')
  }
}

function requireSuccess(simulated: ReturnType<LiteSVM['simulateTransaction']>): void {
  if (!(simulated instanceof FailedTransactionMetadata)) return
  const err = toJsonError(simulated)
  if (err === 'SignatureFailure') throw new RpcError(-32_003, 'Transaction signature verification failure')
  throw new RpcError(-32_002, `Transaction simulation failed: ${simulated.toString()}`, {
    err,
    logs: simulated.meta().logs(),
  })
}

/** Converts an error as Rust prints it: `InstructionError(0, Custom(1))` or `InsufficientFundsForRent { account_index: 1 }`. */
function toJsonError(failed: FailedTransactionMetadata): unknown {
  const text = /err: (.*?), meta: /.exec(failed.toString())?.[1] ?? ''
  const [, index, name, code] = /^InstructionError\((\d+), (\w+)(?:\((\d+)\))?\)$/.exec(text) ?? []
  if (name) return { InstructionError: [Number(index), code ? { [name]: Number(code) } : name] }
  const [, kind, account] = /^(\w+) \{ account_index: (\d+) \}$/.exec(text) ?? []
  return kind ? { [kind]: { account_index: Number(account) } } : text
}
