import { type Capability, port } from '../../kernel/capability.ts'
import { signerEnvironment } from './environment.ts'
import { createFarcasterApi, farcasterApi } from './farcaster-api.ts'
import { signerEndpoints } from './routes.ts'
import { forgetSigners } from './store.ts'
import { signerMigrations } from './tables.ts'

export const farcasterSigner: Capability = {
  name: 'farcaster-signer',
  endpoints: signerEndpoints,
  environment: signerEnvironment,
  ports: [
    port(farcasterApi, ({ config }) => ({
      value: createFarcasterApi(signerEnvironment.of(config).FARCASTER_API_URL),
    })),
  ],
  migrations: signerMigrations,
  forget: forgetSigners,
}
