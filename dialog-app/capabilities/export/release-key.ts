/** Has the server release the key to an open window, after the user confirmed in it and was verified. */
import { LatchkeyError, type WalletAccount } from '@latchkey/protocol'
import type { CallScreens } from '../../app/screen-stack.ts'
import { approveAction } from '../../contract/approved-action.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { ExportWindows } from '../../wallet/lazy/export-windows.ts'
import type { Operation } from '../../wallet/operations.ts'
import { createWalletCalls } from '../../wallet/wallet-obstacles.ts'

type Release = {
  card: CallScreens
  account: WalletAccount
  windows: ExportWindows
  /** The handle of the window. */
  window: string
  signal: AbortSignal
  onConfirmed: () => void
}

export async function releaseKey(
  ports: Pick<CapabilityPorts, 'wallet' | 'api' | 'remedies'>,
  { card, account, windows, window, signal, onConfirmed }: Release,
): Promise<void> {
  const { wallet } = ports
  const { address } = account
  const { publicKey } = await windows.begin({ window, address }, signal)
  const confirmation = await approveAction(ports, {
    address,
    action: { method: 'export', params: [address] },
    signal,
    sign: (named) => windows.confirm({ window, ...named }, signal),
  })
  onConfirmed()
  // The operation of the frame keeps the verification. The release is sealed to the key of the window.
  const operation = await wallet.begin({ signal })
  try {
    await verify('expected')
    try {
      await release()
    } catch (error) {
      if (!isUnverified(error)) throw error
      // The factor was added elsewhere in the meantime.
      await verify('required')
      await release()
    }
  } finally {
    wallet.end(operation)
  }

  /** `expected`: only a user with a known second factor is verified. */
  function verify(due: 'expected' | 'required'): Promise<void> {
    return createWalletCalls(ports.remedies)({
      event: 'mfa:verify',
      account,
      card,
      async call(verification) {
        if (verification === undefined) {
          if (due === 'expected') return
          throw new LatchkeyError('missing_or_invalid_mfa', 'A second factor is needed')
        }
        const { data } = await wallet.requestToken(operation, 'export', address, { signal, confirmation })
        await operation.channel.call('mfa:verify', { ...data, ...verification }, { signal })
      },
    })
  }

  async function release(): Promise<void> {
    const sealedTo: Operation = { ...operation, publicKey, window }
    const { data } = await wallet.requestToken(sealedTo, 'export', address, { signal, confirmation })
    await operation.channel.call('wallet:export', { ...data, address, window }, { signal })
  }
}

const isUnverified = (error: unknown) =>
  error instanceof LatchkeyError && error.code === 'missing_or_invalid_mfa'
