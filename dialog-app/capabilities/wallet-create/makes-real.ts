import type { MakesReal } from '../../core/settings.ts'

export const makesReal: MakesReal = {
  app: ['embeddedWalletConfig'],
  client: ['embeddedWallets.createOnLogin'],
}
