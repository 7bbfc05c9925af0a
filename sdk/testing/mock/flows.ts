/** The flows that calls and providers share: login, signatures and transactions. */
import {
  LatchkeyError,
  type LoginResult,
  type TransactionReceipt,
  type TransactionRequest,
} from '@latchkey/loader'
import type { IncomingCall } from '@latchkey/loader/fake'
import { ethereumAddress, ethereumKey, getLoginMethod, type Hex } from './accounts.ts'
import type { Chain } from './chain.ts'
import type { BatchAnswer, BatchRequest, BatchStatus } from './ethereum.ts'
import { idFrom } from './keys.ts'
import { noWallet, type Session } from './session.ts'
import { readTypedData, signMessage, signTransaction, signTypedData } from './signing.ts'
import type { CallName, ChangesOf, MockUser } from './types.ts'

export type Ask = <Name extends CallName, Answer>(
  name: Name,
  asked: IncomingCall,
  run: (changes: ChangesOf<Name>) => Answer,
) => Promise<Awaited<Answer>>
type Signer = { address?: Hex | undefined }
type Ports = {
  session: Session
  chain: Chain
  ask: Ask
  visitor: () => MockUser
}

export function createFlows({ session, chain, ask, visitor }: Ports) {
  const batches = new Map<string, { chainId: number; hashes: readonly Hex[] }>()

  /** Returns the key of the embedded wallet, or of a linked wallet of another app. */
  function getKey({ address }: Signer): Hex {
    const { linkedAccounts, id } = session.require()
    if (address === undefined) {
      if (!session.wallet('ethereum')) throw noWallet()
      return session.ethereumKey()
    }
    for (const account of linkedAccounts) {
      if (account.type !== 'cross_app') continue
      const key = ethereumKey(`${account.providerApp.id} of ${id}`)
      const isOwn = account.embeddedWallets.some(({ address: own }) => isSame(own, address))
      if (isOwn && isSame(ethereumAddress(key), address)) return key
    }
    throw new LatchkeyError('cross_app_connection_not_allowed', 'The user has not linked this wallet')
  }

  async function send(transaction: TransactionRequest, key: Hex): Promise<Hex> {
    const from = ethereumAddress(key)
    const chainId = chain.current()
    const { hash } = await signTransaction(key, {
      transaction,
      chainId,
      nonce: chain.countTransactions(from),
    })
    chain.add({ hash, from, to: transaction.to ?? null, chainId })
    return hash
  }

  return {
    getKey,
    async logIn(asked: IncomingCall): Promise<LoginResult> {
      const known = session.user()
      if (known)
        return {
          user: known,
          isNewUser: false,
          wasAlreadyAuthenticated: true,
          loginMethod: null,
          loginAccount: null,
        }
      return ask('login', asked, (changes) => {
        const { user, isNewUser } = session.logIn(visitor())
        const [loginAccount = null] = user.linkedAccounts
        const loginMethod =
          loginAccount && (getLoginMethod(loginAccount) as NonNullable<LoginResult['loginMethod']>)
        return { user, isNewUser, wasAlreadyAuthenticated: false, loginMethod, loginAccount, ...changes }
      })
    },
    async signMessage(message: unknown, signer: Signer, asked: IncomingCall) {
      const key = getKey(signer)
      // An invalid message rejects without a prompt.
      const signed = await signMessage(key, message)
      return ask('signMessage', asked, () => signed)
    },
    async signTypedData(json: string, signer: Signer, asked: IncomingCall) {
      const key = getKey(signer)
      const signed = await signTypedData(key, readTypedData(json, chain.current()))
      return ask('signTypedData', asked, () => signed)
    },
    async signTransaction(transaction: TransactionRequest, asked: IncomingCall) {
      const key = getKey({})
      const chainId = chain.current()
      const signed = await signTransaction(key, {
        transaction,
        chainId,
        nonce: chain.countTransactions(ethereumAddress(key)),
      })
      return ask('sendTransaction', asked, () => signed)
    },
    /** Sends a transaction. For a wallet of another app, only the hash is known. */
    async sendTransaction(transaction: TransactionRequest, signer: Signer, asked: IncomingCall) {
      const key = getKey(signer)
      const isFollowed = signer.address === undefined
      const { chainId } = transaction
      if (chainId !== undefined && chainId !== chain.current())
        throw new LatchkeyError(
          'unsupported_chain_id',
          `The transaction is for chain ${chainId}, and the wallet is on ${chain.current()}`,
        )
      return ask('sendTransaction', asked, async (changes) => {
        const hash = await send(transaction, key)
        const receipt: TransactionReceipt = {
          transactionHash: hash,
          status: isFollowed ? 'success' : null,
          gasUsed: isFollowed ? '21000' : null,
          effectiveGasPrice: isFollowed ? '1000000000' : null,
          ...changes,
        }
        return { hash: receipt.transactionHash, receipt }
      })
    },
    async sendBatch(request: BatchRequest, asked: IncomingCall): Promise<BatchAnswer> {
      const key = getKey({})
      const chainId = Number(request.chainId)
      if (request.atomicRequired) return refused(5760, 'The wallet carries out one call at a time')
      if (!chain.has(chainId)) return refused(5710, `Unsupported chain: ${chainId}`)
      const id = request.id ?? `0x${idFrom(`batch ${batches.size}`)}`
      if (batches.has(id)) return refused(5720, 'A batch with this id exists already')
      return ask('sendTransaction', asked, async () => {
        const hashes: Hex[] = []
        for (const { capabilities, ...call } of request.calls) hashes.push(await send(call, key))
        batches.set(id, { chainId, hashes })
        return { result: { id } }
      })
    },
    batchStatus(id: string): BatchStatus {
      getKey({})
      const batch = batches.get(id)
      if (!batch) return refused(5730, 'Unknown batch id')
      const receipts = batch.hashes.map((hash) => {
        const { status, blockHash, blockNumber, gasUsed, transactionHash } = chain.getReceipt(hash)
        return { logs: [], status, blockHash, blockNumber, gasUsed, transactionHash }
      })
      const chainId = `0x${batch.chainId.toString(16)}`
      return { result: { version: '2.0.0', id, chainId, status: 200, atomic: false, receipts } }
    },
  }
}
export type Flows = ReturnType<typeof createFlows>

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
const refused = (code: number, message: string) => ({ refused: { code, message } })
