import type { MakesReal } from '../../host/settings.ts'

export const makesReal: MakesReal = {
  client: ['telegram.botId', 'telegram.botName', 'telegram.linkEnabled', 'telegram.seamlessAuthEnabled'],
}
