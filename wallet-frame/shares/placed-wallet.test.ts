/** The result for an existing wallet, with or without its share on this device. */
import { LatchkeyError } from '@latchkey/protocol'
import type { CommittedWallet } from '@latchkey/protocol/api'
import { expect, it } from 'vitest'
import { adoptCommitted } from './placed-wallet.ts'
import type { StepCall, WalletPorts } from './ports.ts'

const wallet: CommittedWallet = {
  status: 'committed',
  walletId: 'wallet_1',
  userId: 'user_1',
  kind: 'entropy',
  chain: 'ethereum',
  generation: 1,
  address: `0x${'1'.repeat(40)}`,
  recoveryMethod: 'latchkey',
}
const call: StepCall = {
  token: 'a token',
  operation: { id: 'op', step: 1 },
  signal: new AbortController().signal,
  withFactor: (ask) => ask({}),
}

const adoptedWhere = (adopting: () => Promise<object>) =>
  adoptCommitted({ appId: 'a'.repeat(25), vault: { call: adopting } } as unknown as WalletPorts, call, wallet)

it('reports whether this device has the share of the wallet', async () => {
  expect(await adoptedWhere(async () => ({}))).toMatchObject({ address: wallet.address, onDevice: true })
  const none = new LatchkeyError('wallet_not_on_device', 'No share')
  expect(await adoptedWhere(() => Promise.reject(none))).toMatchObject({ onDevice: false })
})

it.each([
  new LatchkeyError('share_mismatch', 'Another address'),
  Object.assign(new Error('Lost'), { code: 'wallet_not_on_device' }),
])('rejects if the adoption failed otherwise: %s', async (error) => {
  await expect(adoptedWhere(() => Promise.reject(error))).rejects.toBe(error)
})
