import { coreRoutes } from './core-routes.ts'
import { passkeyRoutes } from './passkey.ts'
import { siweRoutes } from './siwe.ts'

export * from './analytics.ts'
export * from './apps.ts'
export * from './core-routes.ts'
export * from './email.ts'
export * from './passkey.ts'
export * from './route.ts'
export * from './sessions.ts'
export * from './siwe.ts'
export * from './sms.ts'
export * from './users.ts'
export * from './wallets.ts'

/** Every call of boundary 3. */
export const apiRoutes = { ...coreRoutes, ...siweRoutes, ...passkeyRoutes } as const
