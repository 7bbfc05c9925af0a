import { missingForChain } from '../../integrations/chains/chains.ts'
import { type Capability, port } from '../../kernel/capability.ts'
import { farcasterEnvironment } from './environment.ts'
import { farcasterChainId } from './message.ts'
import { createRelay, relay } from './relay.ts'
import { farcasterEndpoints } from './routes.ts'
import { farcasterMigrations } from './tables.ts'

export const farcaster: Capability = {
  name: 'login/farcaster',
  endpoints: farcasterEndpoints,
  environment: farcasterEnvironment,
  ports: [
    port(relay, ({ config }) => ({
      value: createRelay(farcasterEnvironment.of(config).FARCASTER_RELAY_URL),
    })),
  ],
  logins: [{ method: 'farcaster', missing: missingForChain(farcasterChainId) }],
  settings: ['farcasterAuth'],
  migrations: farcasterMigrations,
  expiries: [
    { table: 'farcaster_channels', key: ['app_id', 'channel'], column: 'expires_at', keptSeconds: 0 },
  ],
}
