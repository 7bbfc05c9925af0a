import { type Capability, port } from '../../kernel/capability.ts'
import { sponsorEnvironment } from './environment.ts'
import { relays as key, openRelays } from './relay.ts'

export const relays: Capability = {
  name: 'relays',
  environment: sponsorEnvironment,
  ports: [
    port(key, ({ config, log }) => {
      const value = openRelays(config)
      if (value.size > 0) log.info({ chains: [...value.keys()] }, 'fees of users are paid')
      return { value }
    }),
  ],
}
