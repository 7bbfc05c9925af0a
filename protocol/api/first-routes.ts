import { analyticsRoutes } from './analytics.ts'
import { appRoutes } from './apps.ts'
import { emailRoutes } from './email.ts'
import { sessionRoutes } from './sessions.ts'
import { smsRoutes } from './sms.ts'
import { userRoutes } from './users.ts'
import { walletRoutes } from './wallets.ts'

/** What a dialog may call from its first screen on. The rows of other login methods come with their own code. */
export const firstRoutes = {
  ...appRoutes,
  ...sessionRoutes,
  ...emailRoutes,
  ...smsRoutes,
  ...userRoutes,
  ...walletRoutes,
  ...analyticsRoutes,
} as const
