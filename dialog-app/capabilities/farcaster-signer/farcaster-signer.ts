import { loadable } from '../../browser/loadable.ts'
import { defineCapability } from '../../contract/capability.ts'

/** Tests replace the device of the browser. */
export const farcasterSignerOn = (device?: { isPhone: boolean }) =>
  defineCapability({
    name: 'farcaster-signer',
    screens: async () => (await import('./screens.ts')).screens,
    loadedFor: 'nobody',
    bring(ports) {
      const calls = loadable(async () => (await import('./host-calls.ts')).createHostCalls(ports, device))
      return {
        load: calls.load,
        hostCalls: { names: ['requestFarcasterSigner', 'signFarcasterMessage'], load: calls.load },
      }
    },
  })

export const farcasterSigner = farcasterSignerOn()
