/**
 * Recovery by a passkey. The server verifies its assertion and releases the sealed shares. The recovery
 * window sealed the passkey's PRF output to the vault, which derives the decryption key from it. This page
 * can read neither.
 */
import { LatchkeyError } from '@latchkey/protocol'
import { recoveryPasskeyRoutes } from '@latchkey/protocol/api'
import * as v from 'valibot'
import { assertAddress, toPinnedWallet } from '../../shares/pinned-wallet.ts'
import type { RecoveryMethodPart } from '../recovery-method.ts'

export const passkey: RecoveryMethodPart = {
  asks: ['recoveryPasskey'],
  operations: {
    create: 'create-with-passkey',
    import: 'import-with-passkey',
    recover: 'recover-with-passkey',
    set: 'set-passkey',
  },
  storageFor({ recoveryPasskey: answer }) {
    if (answer?.credentialId === undefined) throw missingInput('the credential ID')
    return { method: 'passkey', secret: answer.secret, credentialId: answer.credentialId }
  },
  async recover(ports, call, { address, inputs: { recoveryPasskey: answer } }) {
    const assertion = v.safeParse(answerSchema, answer?.authenticatorResponse)
    if (!answer || !assertion.success) throw missingInput('the response of the authenticator')
    const { operation, signal } = call
    const released = await call.withFactor((factor) =>
      ports.api(recoveryPasskeyRoutes.releaseByPasskey, call, {
        authenticatorResponse: assertion.output,
        ...factor,
      }),
    )
    const { wallet, authShare, recoveryShare } = released
    assertAddress(wallet, address)
    const recovered = await ports.vault.call(
      'recoverByPasskey',
      {
        operation,
        wallet: toPinnedWallet(ports, wallet),
        secret: answer.secret,
        auth: authShare,
        recovery: recoveryShare,
      },
      signal,
    )
    return recovered.address
  },
}

const answerSchema = recoveryPasskeyRoutes.releaseByPasskey.body.entries.authenticatorResponse

const missingInput = (what: string) =>
  new LatchkeyError('invalid_request_arguments', `Recovery by passkey needs ${what}`)
