import { type Capability, port } from '../../kernel/capability.ts'
import { signerEnvironment } from './environment.ts'
import { createFarcasterApi, farcasterApi } from './farcaster-api.ts'
import { signerEndpoints } from './routes.ts'
import { signerMigrations } from './tables.ts'

export const farcasterSigner: Capability = {
  name: 'farcaster-signer',
  activity: { 'farcaster.message_signed': { kind: 'farcaster_message' } },
  endpoints: signerEndpoints,
  environment: signerEnvironment,
  ports: [
    port(farcasterApi, ({ config }) => ({
      value: createFarcasterApi(signerEnvironment.read(config).FARCASTER_API_URL),
    })),
  ],
  migrations: signerMigrations,
  userRows: [{ table: 'farcaster_signers', goes: 'with the account', by: ['app_id', 'user_id'] }],
}
