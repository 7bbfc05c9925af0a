/**
 * A service that pays the fees of Solana transactions of allowed programs: https://github.com/solana-foundation/kora.
 * Callers sign their requests with a shared secret.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import {
  createKeyPairSignerFromPrivateKeyBytes,
  decompileTransactionMessage,
  getBase64EncodedWireTransaction,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  partiallySignTransaction,
} from '@solana/kit'
import { type Route, readText, sendJson } from '../http.ts'

export const koraSecret = 'secret-of-the-kora-sandbox'
/** How far the time of a request may be off. */
const MAX_AGE_SECONDS = 300

const allowedPrograms = [
  '11111111111111111111111111111111',
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'ComputeBudget111111111111111111111111111111',
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
]

/** Creates the service with a fixed account. */
export async function createKora({ nowSeconds = () => Math.floor(Date.now() / 1_000) } = {}) {
  const payer = await createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(7))

  async function signTransaction({ transaction: wire, signer_key: asked }: Record<string, unknown>) {
    const transaction = getTransactionDecoder().decode(Buffer.from(String(wire), 'base64'))
    const message = decompileTransactionMessage(
      getCompiledTransactionMessageDecoder().decode(transaction.messageBytes),
    )
    if (asked !== undefined && asked !== payer.address)
      throw new Error(`Validation error: Signer ${asked} not found`)
    if (message.feePayer.address !== payer.address)
      throw new Error('Validation error: Fee payer is not in the signer pool')
    for (const { programAddress } of message.instructions) {
      if (!allowedPrograms.includes(programAddress))
        throw new Error(`Invalid transaction: Program ${programAddress} is not in the allowed list`)
    }
    const signed = await partiallySignTransaction([payer.keyPair], transaction)
    return { signed_transaction: getBase64EncodedWireTransaction(signed), signer_pubkey: payer.address }
  }

  const methods: Readonly<Record<string, (params: Record<string, unknown>) => unknown>> = {
    getPayerSigner: () => ({ signer_address: payer.address, payment_address: payer.address }),
    signTransaction,
  }

  const route: Route = {
    method: 'POST',
    path: /^\/kora$/,
    async handle({ request, response }) {
      const body = (await readText(request)) ?? ''
      const { 'x-timestamp': time, 'x-hmac-signature': signature } = request.headers
      const isRecent = Math.abs(nowSeconds() - Number(time)) <= MAX_AGE_SECONDS
      if (!isRecent || !isSigned(`${time}${body}`, String(signature)))
        return sendJson(response, { error: 'Unauthorized' }, 401)
      const { id, method, params } = JSON.parse(body)
      try {
        const run = methods[method]
        if (!run) throw new Error('Method not found')
        return sendJson(response, { jsonrpc: '2.0', id, result: await run(params) })
      } catch (error) {
        return sendJson(response, {
          jsonrpc: '2.0',
          id,
          error: { code: -32_000, message: (error as Error).message },
        })
      }
    },
  }
  return { address: payer.address, route }
}

function isSigned(text: string, signature: string): boolean {
  const expected = createHmac('sha256', koraSecret).update(text).digest()
  const received = Buffer.from(signature, 'hex')
  return received.length === expected.length && timingSafeEqual(received, expected)
}
