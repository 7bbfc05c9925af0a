/** The embedded Solana wallet as pages drive one. What it is asked goes to the dialog, which decides. */
import { LatchkeyError } from '@latchkey/protocol'
import { parse } from '@latchkey/protocol/channel'
import { type MoreResult, signAnswers } from '@latchkey/protocol/host'
import type { CallOptions, SolanaProvider } from '../../latchkey.ts'
import type { SignUi } from '../../published.ts'
import type { Page } from '../page.ts'
import { announce } from './announce.ts'
import { base58Bytes } from './base58.ts'

const KEY_BYTES = 32
const SIGNATURE_BYTES = 64

type Answer = MoreResult<'solanaWallet'>

/** Of each dialog of the page: one provider a wallet, announced once. */
const made = new WeakMap<EventTarget, { provider: SolanaProvider; update?: () => void }>()

export function solanaProviderOf(page: Page, { wallet, announced }: Answer): SolanaProvider {
  const before = made.get(page.events)
  const isSame = before?.provider.address === wallet.address
  const present = { ...before, provider: isSame ? before.provider : createProvider(page, wallet.address) }
  made.set(page.events, present)
  if (announced) present.update ??= announce(page, announced.name, () => made.get(page.events)?.provider)
  present.update?.()
  return present.provider
}

function createProvider({ ask }: Page, address: string): SolanaProvider {
  const signMessage: SolanaProvider['signMessage'] = async (message, options = {}) => {
    const { signal, ...ui }: SignUi & CallOptions = options
    const data = { message: textOf(message), ui }
    const answer = await ask('moreForUser', () => ({ call: 'signSolanaMessage', data }), signal)
    const signed = parse(signAnswers.signSolanaMessage, answer, 'invalid_answer')
    return { signature: base58Bytes(signed.signature, SIGNATURE_BYTES), address: signed.address }
  }
  return Object.freeze({
    address,
    publicKey: base58Bytes(address, KEY_BYTES),
    signMessage,
    async request({ method, params }) {
      if (method === 'signMessage') return signMessage(Reflect.get(Object(params), 'message'))
      throw new LatchkeyError(
        'not_supported',
        'Embedded Solana provider does not yet support this RPC method.',
      )
    },
  } satisfies SolanaProvider)
}

/** What is signed is the UTF-8 of the text that is shown, so bytes that are none can not be. The dialog judges the rest. */
function textOf(message: unknown): unknown {
  if (!(message instanceof Uint8Array)) return message
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(message)
  } catch (cause) {
    throw new LatchkeyError('invalid_message', 'The message is no text', { cause })
  }
}
