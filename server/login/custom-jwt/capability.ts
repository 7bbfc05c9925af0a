import { type Capability, port } from '../../kernel/capability.ts'
import { customJwtCommand } from './command.ts'
import { createKeySets, keySets } from './issuer.ts'
import { customJwtEndpoints } from './routes.ts'
import { customJwtTables } from './store.ts'

export const customJwt: Capability = {
  name: 'login/custom-jwt',
  endpoints: customJwtEndpoints,
  ports: [port(keySets, () => ({ value: createKeySets() }))],
  appCommands: [customJwtCommand],
  migrations: { '0001-issuers': customJwtTables },
}
