import { defineCapability } from '../../contract/capability.ts'

/** Tests replace the device of the browser. */
export const farcasterOn = (device?: { isPhone: boolean }) =>
  defineCapability({
    name: 'farcaster',
    screens: async () => (await import('./screens.ts')).screens,
    comes: 'with its setting',
    loadedFor: 'visitors',
    bring: (ports) => ({
      login: [
        {
          method: 'farcaster',
          appSetting: 'farcasterAuth',
          shows: 'row',
          load: async () => (await import('./farcaster-login.ts')).farcasterMethod(ports, device),
        },
      ],
    }),
  })

export const farcaster = farcasterOn()
