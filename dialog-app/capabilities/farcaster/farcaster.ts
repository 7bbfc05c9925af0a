import { defineCapability } from '../../contract/capability.ts'

/** The device is the browser's own, unless a test says which. */
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
