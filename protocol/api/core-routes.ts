import { analyticsRoutes } from './analytics.ts'
import { appRoutes } from './apps.ts'
import { emailRoutes } from './email.ts'
import { sessionRoutes } from './sessions.ts'
import { smsRoutes } from './sms.ts'
import { userRoutes } from './users.ts'
import { walletRoutes } from './wallets.ts'

/** Calls that the core of the dialog knows by their names. Those of other capabilities come with their screens. */
export const coreRoutes = {
  ...appRoutes,
  ...sessionRoutes,
  ...emailRoutes,
  ...smsRoutes,
  ...userRoutes,
  ...walletRoutes,
  ...analyticsRoutes,
} as const
