/**
 * Recovery by a passkey. What its authenticator signed goes to the server, which gives out for it what the key of the
 * passkey opens; that key is made in the vault, of what the window that asked the passkey sealed to it. This page can read neither.
 */
import { LatchkeyError } from '@latchkey/protocol'
import { recoveryPasskeyRoutes } from '@latchkey/protocol/api'
import * as v from 'valibot'
import { assertAddress, pinnedWallet } from '../../shares/pinned-wallet.ts'
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
    if (answer?.credentialId === undefined) throw incomplete('the name of the passkey')
    return { method: 'passkey', secret: answer.secret, credentialId: answer.credentialId }
  },
  async recover(ports, call, { address, inputs: { recoveryPasskey: answer } }) {
    const answered = v.safeParse(answerSchema, answer?.authenticatorResponse)
    if (!answer || !answered.success) throw incomplete('what the passkey answered')
    const { operation, signal } = call
    const released = await call.withFactor((factor) =>
      ports.api(recoveryPasskeyRoutes.releaseByPasskey, call, {
        authenticatorResponse: answered.output,
        ...factor,
      }),
    )
    const { wallet, authShare, recoveryShare } = released
    assertAddress(wallet, address)
    const recovered = await ports.vault.call(
      'recoverByPasskey',
      {
        operation,
        wallet: pinnedWallet(ports, wallet),
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

const incomplete = (what: string) =>
  new LatchkeyError('invalid_request_arguments', `Recovery by passkey needs ${what}`)
