import { type Capability, port } from '../../kernel/capability.ts'
import { sponsorEnvironment } from './environment.ts'
import { sponsors as key, openSponsors } from './relay.ts'

export const relays: Capability = {
  name: 'relays',
  environment: sponsorEnvironment,
  ports: [
    port(key, ({ config, clock, log }) => {
      const value = openSponsors(config, clock)
      const { chains, clusters } = value
      if (chains.size + clusters.size > 0)
        log.info({ chains: [...chains.keys(), ...clusters.keys()] }, 'fees of users are paid')
      return { value }
    }),
  ],
}
