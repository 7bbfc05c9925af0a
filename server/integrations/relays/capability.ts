import { type Capability, port } from '../../kernel/capability.ts'
import { sponsorEnvironment } from './environment.ts'
import { sponsors as key, openSponsors } from './relay.ts'

export const relays: Capability = {
  name: 'relays',
  environment: sponsorEnvironment,
  ports: [
    port(key, ({ config, log }) => {
      const value = openSponsors(config)
      if (value.size > 0) log.info({ chains: [...value.keys()] }, 'fees of users are paid')
      return { value }
    }),
  ],
}
