import type { MakesReal } from '../../host/settings.ts'

export const makesReal: MakesReal = {
  client: [
    'allowlistConfig.errorTitle',
    'allowlistConfig.errorDetail',
    'allowlistConfig.ctaText',
    'allowlistConfig.ctaLink',
  ],
}
