import type { Capability } from '../../kernel/capability.ts'
import { loaderFilesTable, surplusLoaderFiles } from './store.ts'

export const loaders: Capability = {
  name: 'loaders',
  migrations: { '0001-files': loaderFilesTable },
  expiryRules: [surplusLoaderFiles],
}
