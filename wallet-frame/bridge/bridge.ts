/** What the dialog may ask of the wallet frame. A table: event, and what is done about it. */

import type { CallOutput, Handlers } from '@latchkey/protocol'
import { LatchkeyError, product } from '@latchkey/protocol'
import { personalSignParamsSchema, type WalletContract } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import {
  connectWallet,
  createWallet,
  recoverWallet,
  signPersonalMessage,
  type WalletPorts,
} from '../shares/wallets.ts'
import { type WalletCall, walletError } from './wallet-errors.ts'

type Calls = Handlers<WalletContract['child']>
type Data<Name extends WalletCall> = Parameters<Calls[Name]>[0]

export function createBridge(ports: WalletPorts): Calls {
  const { vault } = ports
  const createOnce = merging((data: Data<'wallet:create'>) =>
    createWallet(ports, { token: data.accessToken }),
  )

  return {
    'iframe:ready': () => ({}),

    'vault:key': answering('vault:key', async () => ({ publicKey: await vault.publicKey() })),

    'wallet:create': answering('wallet:create', async (data) => {
      assertAutomatic(data.recoveryMethod)
      return { address: await createOnce(data) }
    }),

    'wallet:connect': answering('wallet:connect', async ({ accessToken, address }) => ({
      address: await connectWallet(ports, { token: accessToken, address }),
    })),

    'wallet:recover': answering('wallet:recover', async ({ accessToken, address, recoveryMethod }) => {
      assertAutomatic(recoveryMethod)
      return { address: await recoverWallet(ports, { token: accessToken, address }) }
    }),

    'wallet:rpc': answering('wallet:rpc', async ({ accessToken, address, request, requesterAppId }) => {
      const { method, params } = request
      if (requesterAppId !== undefined && requesterAppId !== ports.appId) {
        throw new LatchkeyError('not_supported', 'Signing for another app is not supported')
      }
      if (method !== 'personal_sign') throw new LatchkeyError('not_supported', `${method} is not supported`)
      const parsed = v.safeParse(personalSignParamsSchema, params)
      if (!parsed.success) throw new LatchkeyError('invalid_request_arguments', parsed.issues[0].message)
      const data = await signPersonalMessage(ports, { token: accessToken, address, params: parsed.output })
      return { address, response: { method, data } }
    }),

    /** No factor is kept between calls; what could still answer for the user who leaves is the vault's key. */
    'mfa:clear': () => {
      vault.end()
      return {}
    },
  }
}

const answering =
  <Name extends WalletCall>(
    call: Name,
    handle: (data: Data<Name>) => Promise<CallOutput<WalletContract['child'][Name]>>,
  ) =>
  async (data: Data<Name>) => {
    try {
      return await handle(data)
    } catch (error) {
      throw walletError(call, error)
    }
  }

/** Identical calls at once are one: StrictMode, a double click and a retry of the caller must not make two wallets. */
function merging<Input extends object, Output>(run: (input: Input) => Promise<Output>) {
  const underWay = new Map<string, Promise<Output>>()
  return (input: Input): Promise<Output> => {
    const key = JSON.stringify(Object.entries(input).sort(([left], [right]) => (left < right ? -1 : 1)))
    const present = underWay.get(key)
    if (present) return present
    const started = run(input).finally(() => underWay.delete(key))
    underWay.set(key, started)
    return started
  }
}

function assertAutomatic(recoveryMethod: string | undefined): void {
  if (recoveryMethod === undefined || recoveryMethod === product.automaticRecovery) return
  throw new LatchkeyError('disallowed_recovery_method', `Recovery by ${recoveryMethod} is not available`)
}
