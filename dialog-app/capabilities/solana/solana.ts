import { defineCapability } from '../../core/capability.ts'
import { loadable } from '../../core/loadable.ts'

export const solana = defineCapability({
  name: 'solana',
  loadedFor: 'nobody',
  bring(ports) {
    const calls = loadable(async () => (await import('./host-calls.ts')).createHostCalls(ports))
    return { moreCalls: { names: ['createSolanaWallet', 'solanaWallet'], load: calls.load } }
  },
})
