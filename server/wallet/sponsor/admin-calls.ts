/** The call of the Admin API about sponsored fees. */
import { adminSponsoredRoutes } from '@latchkey/protocol/admin'
import { toChainId } from '../../integrations/chains/chains.ts'
import { type AdminEndpoint, AdminError, adminRead } from '../../kernel/http/admin-endpoint.ts'
import { nowSeconds } from '../../kernel/ports.ts'
import { formatDollars } from '../confirm/confirm.ts'
import { sponsorServerLimits } from './limits.ts'
import { getDayUsage, getUsage } from './store.ts'

const { daySeconds, reportedDays } = sponsorServerLimits
const CENTS = 100
const formatTime = (seconds: number) => new Date(seconds * 1_000).toISOString()

export const sponsorAdminEndpoints: AdminEndpoint[] = [
  adminRead(adminSponsoredRoutes.readSponsored, async ({ appId }, { db, apps, clock }) => {
    const app = await apps.find(appId)
    if (app === undefined) throw new AdminError('app_not_found', `There is no app ${appId}`)
    const now = nowSeconds(clock)
    const from = now - (now % daySeconds) - (reportedDays - 1) * daySeconds
    const { cents, pending } = await getUsage(db, 'app_id', appId, now)
    const { usdPerDay } = app.sponsorLimits
    const { sponsoredChains, sponsoredClusters } = app.config
    const chains: string[] = [...sponsoredChains.map(String), ...sponsoredClusters.map(toChainId)]
    const days = await getDayUsage(db, appId, from)
    return {
      output: {
        chains,
        limit: {
          usdPerDay,
          spentUsd: formatDollars(cents),
          leftUsd: formatDollars(Math.max(0, Math.floor(usdPerDay * CENTS) - cents)),
        },
        pending,
        from: formatTime(from),
        to: formatTime(now),
        data: days.map(({ chain_id: chainId, day, cents: paid, operations, failed }) => ({
          chainId,
          at: formatTime(day),
          usd: formatDollars(paid),
          operations,
          failed,
        })),
      },
    }
  }),
]
